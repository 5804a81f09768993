import { cannotHaveWritten, names } from './shell.ts';
import { partsOf } from './shell-words.ts';

/** Programs that try or check what is there: what else they write is made of it, and has names of its own. */
const TESTERS = new Set('vitest jest mocha ava pytest py.test phpunit rspec ctest mypy pyright flake8'.split(' '));
/** Programs of which one verb does so. */
const VERBS: Readonly<Record<string, ReadonlySet<string>>> = {
  cargo: new Set(['test', 'check', 'clippy']),
  go: new Set(['test', 'vet']),
  deno: new Set(['test', 'check']),
  dotnet: new Set(['test']),
  make: new Set(['test', 'check']),
  mvn: new Set(['test']),
  gradle: new Set(['test']),
};
const RUNNERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);
/** Formatters that print what they would change unless they are told to write it. */
const CHECKERS = new Set('prettier eslint biome gofmt goimports shfmt clang-format standard xo'.split(' '));
const UPDATES = /^(?:-u|-w|-i|--write|--fix(?:[-=].*)?|--apply(?:-.*)?|--in-place|--(?:\w+-)?update(?:[-=].*)?)$/;
const OWN =
  /(?:^|\/)(?:__snapshots__|snapshots|coverage|htmlcov|test-results|reports?|target|dist|build|out)\/|\.(?:snap|ambr|xml|lcov|lock|sum|tsbuildinfo)$/;

/** Programs that bring packages, by their verbs: they write what names the packages, and folders of their own. */
const INSTALLERS: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries([...RUNNERS].map((one) => [one, /^(?:install|i|ci|add|remove|uninstall)$/])),
  ...Object.fromEntries(
    ['pip', 'pip3', 'gem', 'brew', 'apt', 'apt-get', 'apk'].map((one) => [one, /^(?:un)?install$/]),
  ),
  bundle: /^install$/,
  composer: /^(?:install|require|remove)$/,
  poetry: /^(?:install|add|remove|lock)$/,
  uv: /^(?:sync|add|remove|lock)$/,
  cargo: /^(?:add|remove|fetch|update|install)$/,
};
const PACKAGES =
  /(?:^|\/)(?:node_modules|vendor|\.yarn|\.venv|venv|\.husky|_*generated_*|gen)\/|(?:^|\/)(?:[^/]*lock[^/]*|package\.json|[^/]*\.toml|composer\.json|Gemfile|requirements[^/]*|go\.(?:mod|work)|\.pnp\.[^/]*)$/i;

/** True when all that the command runs tests or checks what is there, or installs packages, and the file is none that such programs write. */
export function onlyTests(command: string, path: string): boolean {
  if (OWN.test(path)) return false;
  const parts = partsOf(command);
  if (parts.some((words) => words.some((word) => UPDATES.test(word)))) return false;
  if (parts.some((words) => goesInto(words, path) || (installs(words) && PACKAGES.test(path)))) return false;
  return parts.every((words) => isTest(words) || installs(words) || cannotHaveWritten(words.join(' '), path));
}

/** Whether the file is named as what is to be written: `> f`, `-o f`, `--outputFile=f`. */
function goesInto(words: readonly string[], path: string): boolean {
  return words.some((word, i) => {
    const before = words[i - 1] ?? '';
    return (
      names(word, path) &&
      (/[>=]/.test(word) || /^(?:\d?>+|-o|--\w*(?:out|report|json|log|html|file).*)$/i.test(before))
    );
  });
}

function installs([program = '', ...words]: readonly string[]): boolean {
  if (/^python\d?$/.test(program)) return words[0] === '-m' && words[1] === 'pip' && installs(words.slice(1));
  const [verb = ''] = words.filter((word) => !word.startsWith('-'));
  return Object.hasOwn(INSTALLERS, program) && INSTALLERS[program]?.test(verb) === true;
}

function isTest([program = '', ...words]: readonly string[]): boolean {
  const verbs = words.filter((word) => !word.startsWith('-'));
  if (RUNNERS.has(program)) {
    const [verb = '', script = ''] = verbs;
    return /^(?:t|test|typecheck)(?::[a-z]+)?$/.test(/^run(?:-script)?$/.test(verb) ? script : verb);
  }
  if (program === 'tsc') return words.includes('--noEmit');
  if (program === 'node') return words.includes('--test');
  if (/^python\d?$/.test(program)) return words[0] === '-m' && /^(?:pytest|unittest)$/.test(words[1] ?? '');
  return (
    TESTERS.has(program) ||
    CHECKERS.has(program) ||
    (Object.hasOwn(VERBS, program) && VERBS[program]?.has(verbs[0] ?? '') === true)
  );
}
