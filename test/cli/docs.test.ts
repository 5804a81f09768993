// What the documents say can be typed: verbs and options that are there, links that lead somewhere.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { VERBS } from '../../src/commands/index.ts';
import { Sandbox } from './program.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const pages = ['README.md', ...listPages('docs')];

function listPages(folder: string): string[] {
  return fs.readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return listPages(file);
    return entry.name.endsWith('.md') ? [file] : [];
  });
}

const read = (page: string) => fs.readFileSync(path.join(ROOT, page), 'utf8');
const verbs = new Set(VERBS.map(({ name }) => name));

/** The options that a verb declares: read off its file, as loading all verbs takes long. */
function optionsOf(verb: string): readonly string[] {
  const files = [`src/commands/${verb}.ts`, `src/commands/${verb}-options.ts`];
  const source = files.filter((file) => fs.existsSync(path.join(ROOT, file))).map(read);
  const declared = [...source.join('').matchAll(/(?:\.option\(|new Option\(|flags:)\s*'([^']+)'/g)].map(
    ([, words = '']) => words,
  );
  return ['-h', '--help', ...declared.flatMap((words) => words.match(/--?[A-Za-z][a-z-]*/g) ?? [])];
}

/** Every `git agent VERB ...` of a page, in code and in blocks; what follows `--` is another program's. */
function callsOf(text: string): { verb: string; options: string[] }[] {
  const code = [...text.matchAll(/```[\s\S]*?```|`[^`\n]+`/g)].map(([piece]) => piece).join('\n');
  return [...code.matchAll(/\bgit agent ([a-z]+)([^\n`|>#&]*)/g)].map(([, verb = '', rest = '']) => ({
    verb,
    options: rest.split(' -- ')[0]?.match(/(?<= )--?[a-z][a-z-]*/g) ?? [],
  }));
}

describe.each(pages)('%s', (page) => {
  it('names only verbs and options that there are', () => {
    for (const { verb, options } of callsOf(read(page))) {
      expect(verbs, `git agent ${verb}`).toContain(verb);
      // blame hands git's own options on
      if (verb === 'blame') continue;
      expect(optionsOf(verb), `git agent ${verb}`).toEqual(expect.arrayContaining(options));
    }
  });

  it('links to files that are there', () => {
    const links = [...read(page).matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => to);
    const dead = links
      .filter((to) => !/^[a-z]+:/.test(to))
      .filter((to) => !fs.existsSync(path.join(ROOT, path.dirname(page), to)));
    expect(dead).toEqual([]);
  });
});

it('what docs/privacy.md says removes every ref of ours, fetched ones too, and no other', () => {
  const [, command = ''] = /^(git for-each-ref .*)$/m.exec(read('docs/privacy.md')) ?? [];
  const repo = new Sandbox();
  try {
    const commit = repo.write('a', 'a\n').commit();
    const names = ['trace', 'log', 'seal'].flatMap((name) =>
      ['', 'origin/', 'a/b/'].map((remote) => `refs/notes/${remote}agent/${name}`),
    );
    const ours = [...names, 'refs/agent/sessions', 'refs/agent/origin/sessions'];
    for (const ref of [...ours, 'refs/notes/commits', 'refs/notes/origin/agents']) repo.git('update-ref', ref, commit);
    execFileSync('sh', ['-c', command], { cwd: repo.dir });
    expect(repo.git('for-each-ref', '--format=%(refname)').split('\n')).toEqual([
      'refs/heads/main',
      'refs/notes/commits',
      'refs/notes/origin/agents',
    ]);
  } finally {
    repo.remove();
  }
});

it('what the shipped pages link to, or name as a file of ours, is shipped too', () => {
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const files: string[] = JSON.parse(packed)[0].files.map((file: { path: string }) => file.path);
  const shipped = new Set(files);
  const isShipped = (to: string) =>
    shipped.has(to) || files.some((file) => file.startsWith(`${to.replace(/\/$/, '')}/`));
  const missing = files
    .filter((file) => file.endsWith('.md'))
    .flatMap((page) => {
      const text = read(page);
      const links = [...text.matchAll(/\]\(([^)\s#:]+)(?:#[^)]*)?\)/g)].map(([, to = '']) =>
        path.posix.join(path.posix.dirname(page), to),
      );
      // how to write an adapter is about the source, and which test is for which threat about the tests: they say so
      const named =
        page === 'docs/new-agent.md' || page === 'SECURITY.md'
          ? []
          : [...text.matchAll(/\b(?:src|fixtures|bench|test)\/[\w./-]+\.\w+/g)].map(([name]) => name);
      return [...links, ...named.filter((name) => fs.existsSync(path.join(ROOT, name)))]
        .filter((to) => !isShipped(to))
        .map((to) => `${page}: ${to}`);
    });
  expect(missing).toEqual([]);
});
