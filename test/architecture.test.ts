import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..');
const SRC = path.join(ROOT, 'src');

/** Room -> what it may import: a room, or single files of one. Itself and what lies beside the rooms is free to everybody. */
const MAY_IMPORT: Readonly<Record<string, readonly string[] | 'everything'>> = {
  lines: [],
  trace: ['lines'],
  agentlog: ['lines'],
  capture: ['lines', 'agentlog'],
  join: ['lines', 'trace', 'capture/session.ts', 'git/diff.ts'],
  git: ['lines', 'jj'],
  jj: [],
  notes: ['git', 'anchor', 'trace'],
  redact: ['agentlog'],
  sessions: ['git', 'capture', 'agentlog', 'lines', 'redact'],
  // of git only the parsers and types, of the terminal only what measures and cleans text
  anchor: ['lines', 'trace'],
  blame: ['lines', 'trace', 'anchor', 'git/blame.ts', 'terminal/plain.ts', 'terminal/width.ts', 'terminal/colour.ts'],
  conversation: ['lines', 'trace', 'agentlog', 'terminal/plain.ts', 'terminal/width.ts', 'terminal/colour.ts'],
  terminal: [],
  report: [
    'lines',
    'blame/annotate.ts',
    'anchor/target.ts',
    'git/paths.ts',
    'terminal/plain.ts',
    'terminal/width.ts',
    'terminal/colour.ts',
  ],
  log: [
    'lines',
    'blame',
    'report',
    'git/log.ts',
    'git/unified.ts',
    'terminal/plain.ts',
    'terminal/width.ts',
    'terminal/colour.ts',
  ],
  page: [
    'lines',
    'report',
    'agentlog/document.ts',
    'blame/annotate.ts',
    'git/paths.ts',
    'conversation/summary.ts',
    'conversation/search.ts',
  ],
  // HTTP only: what the pages say is made elsewhere
  serve: ['page/browse/address.ts'],
  // the protocol and the words: what is told is found elsewhere
  mcp: ['conversation/search.ts', 'conversation/summary.ts', 'terminal/plain.ts'],
  // what a survey found, as it is kept: nothing here finds out
  kept: ['lines', 'report', 'git/diff.ts', 'git/raw.ts', 'sessions/disk.ts'],
  // it draws what it is handed: never git, never the disk
  tui: ['lines', 'terminal', 'blame', 'conversation', 'report'],
  check: ['lines', 'report', 'git/paths.ts', 'terminal/plain.ts', 'terminal/colour.ts'],
  audit: ['lines', 'trace', 'agentlog', 'report', 'terminal/plain.ts', 'terminal/width.ts', 'terminal/colour.ts'],
  // what is said to a forge is made elsewhere
  forge: [],
  web: ['lines', 'trace', 'anchor', 'blame', 'git/paths.ts', 'notes/lines.ts', 'notes/fanout.ts'],
  shared: ['git', 'agentlog', 'sessions', 'redact'],
  tour: [],
  activity: ['agentlog'],
  vac: ['agentlog', 'lines', 'trace'],
  seal: [],
  otlp: ['agentlog'],
  foreign: ['lines', 'trace', 'agentlog'],
  acp: ['lines', 'capture', 'git', 'sessions'],
  setup: ['git', 'capture'],
  pending: ['lines', 'trace', 'agentlog', 'capture', 'join', 'git', 'jj', 'notes', 'sessions', 'redact', 'anchor'],
  commands: 'everything',
  // the programs and fault.ts, beside the rooms
  '': 'everything',
};

/** The error class, what every format is read with, and how a file of ours is opened. */
const BESIDE = new Set(['fault.ts', 'json.ts', 'json-text.ts', 'plain-file.ts', 'shape.ts', 'suggest.ts']);

const PURE = [
  'lines',
  'anchor',
  'trace',
  'agentlog',
  'capture',
  'join',
  'blame',
  'conversation',
  'report',
  'log',
  'page',
  'check',
  'activity',
  'vac',
  'otlp',
  'foreign',
  'audit',
];
/** What a pure room never says; comments and strings do not count. */
const IMPURE = [
  /\bfrom ['"]node:(?!crypto|buffer|path|util)/,
  /\basync\b|\bawait\b/,
  /\bprocess\b/,
  /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandomUUID\b|\brandomBytes\b/,
];
const CATCH_ALLS = new Set(['utils', 'helpers', 'common', 'core', 'lib', 'types', 'managers']);
const MAX_LINES = 300;

function filesUnder(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

const fromSrc = (file: string) => path.relative(SRC, file).split(path.sep).join('/');
const roomOf = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '') : '');

/** Static and dynamic imports of own files, from src; with `types`, those of types too. */
function importsOf(file: string, types = true): string[] {
  const whole = fs.readFileSync(file, 'utf8');
  const text = types ? whole : whole.replace(/^(?:import|export) type [^;]*;$/gm, '');
  const found = text.matchAll(/(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)['"](\.[^'"]+)['"]/g);
  return [...found].map(([, target = '']) => fromSrc(path.resolve(path.dirname(file), target)));
}

function lazyImportsOf(file: string): string[] {
  const found = fs.readFileSync(file, 'utf8').matchAll(/\bimport\s*\(\s*['"](\.[^'"]+)['"]/g);
  return [...found].map(([, target = '']) => fromSrc(path.resolve(path.dirname(file), target)));
}

function mayImport(from: string, to: string): boolean {
  const [room, target] = [roomOf(from), roomOf(to)];
  if (room === target || BESIDE.has(to)) return true;
  const allowed = MAY_IMPORT[room] ?? [];
  return allowed === 'everything' || allowed.includes(target) || allowed.includes(to);
}

/** Everything that is loaded before the file's own code runs, from src: what is imported when it is needed does not count. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  const lazy = new Set(lazyImportsOf(file));
  for (const target of importsOf(file, false).filter((one) => !lazy.has(one))) {
    if (seen.has(target)) continue;
    seen.add(target);
    loadedBy(path.join(SRC, target), seen);
  }
  return seen;
}

/** Good enough for code formatted by our formatter: no comment marks inside strings of pure rooms. */
function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '$1')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, (string, at: number, all: string) =>
      /\bfrom\s*$/.test(all.slice(at - 6, at)) ? string : "''",
    )
    .replace(/`(?:[^`\\]|\\.)*`/g, (string) => (string.match(/\$\{[^}]*\}/g) ?? []).join(' '));
}

/** A condition carries no message: the title has it in brackets, or is a name that was made with it. */
function silentSkips(text: string): string[] {
  const plainly = /\b(?:it|test|describe)\.(?:skip|todo|only)\s*\(|\.skip\(\s*\)/g;
  const found = [...text.matchAll(plainly)].map(([call]) => call);
  for (const { index } of text.matchAll(/\.(?:skipIf|runIf)\(/g)) {
    let at = text.indexOf('(', index);
    for (let depth = 0; at < text.length; at++) {
      if (text[at] === '(') depth++;
      else if (text[at] === ')' && --depth === 0) break;
    }
    const [, title = ''] = /^\(\s*(\w+|'[^'\n]*'|"[^"\n]*"|`[^`]*`)/.exec(text.slice(at + 1)) ?? [];
    if (!/^\w+$|\(.+\)/.test(title)) found.push(text.slice(index, at + 1) + title);
  }
  return found;
}

const sources = filesUnder(SRC);
const tests = filesUnder(path.join(ROOT, 'test'));

describe('the map of src/README.md', () => {
  it('has found the sources', () => {
    expect(sources.map(fromSrc)).toContain('fault.ts');
    expect(importsOf(path.join(SRC, 'git/run.ts'))).toContain('fault.ts');
  });

  it('knows every room', () => {
    const rooms = new Set(sources.map((file) => roomOf(fromSrc(file))));
    expect([...rooms].filter((room) => !Object.hasOwn(MAY_IMPORT, room))).toEqual([]);
  });

  it('keeps the arrows pointing one way', () => {
    const wrong = sources.flatMap((file) =>
      importsOf(file)
        .filter((target) => !mayImport(fromSrc(file), target))
        .map((target) => `${fromSrc(file)} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('would notice an arrow that points the other way', () => {
    expect(mayImport('lines/text.ts', 'git/run.ts')).toBe(false);
    expect(mayImport('blame/annotate.ts', 'git/run.ts')).toBe(false);
    expect(mayImport('git/run.ts', 'commands/command.ts')).toBe(false);
    expect(mayImport('blame/annotate.ts', 'git/blame.ts')).toBe(true);
  });
});

describe('pure rooms', () => {
  it.each(PURE)('%s has no disk, no process, no clock, no chance, no async', (room) => {
    const wrong = sources
      .filter((file) => roomOf(fromSrc(file)) === room)
      .flatMap((file) => {
        const text = withoutComments(fs.readFileSync(file, 'utf8'));
        return IMPURE.filter((pattern) => pattern.test(text)).map((pattern) => `${fromSrc(file)}: ${pattern}`);
      });
    expect(wrong).toEqual([]);
  });
});

describe('what is loaded', () => {
  const touchesWorld = (file: string) =>
    /\bfrom ['"]node:(?:fs|child_process|os|net|http)\b/.test(
      withoutComments(fs.readFileSync(path.join(SRC, file), 'utf8')),
    );

  it('a pure room loads nothing that touches the world, not even by another room', () => {
    const wrong = sources
      .filter((file) => PURE.includes(roomOf(fromSrc(file))))
      .flatMap((file) => [...loadedBy(file)].filter(touchesWorld).map((target) => `${fromSrc(file)} loads ${target}`));
    expect(touchesWorld('git/run.ts')).toBe(true);
    expect(wrong).toEqual([]);
  });

  it('git agent-blame starts without the packages of the verbs', () => {
    const loaded = [...loadedBy(path.join(SRC, 'git-agent-blame.ts'))];
    const heavy = /^import (?!type)[^;]*['"](?:commander|@secretlint|diff|cborg|ink|react)\b/m;
    expect(loaded.length).toBeGreaterThan(5);
    expect(loaded.filter((file) => heavy.test(fs.readFileSync(path.join(SRC, file), 'utf8')))).toEqual([]);
  });

  it('the program that joins knows no other verbs', () => {
    const loaded = [...loadedBy(path.join(SRC, 'git-agent-work.ts'))];
    expect(loaded).toContain('pending/work.ts');
    expect(loaded).not.toContain('commands/index.ts');
  });
});

describe('house rules', () => {
  it(`no file is longer than ${MAX_LINES} lines`, () => {
    const long = sources.filter((file) => fs.readFileSync(file, 'utf8').split('\n').length - 1 > MAX_LINES);
    expect(long.map(fromSrc)).toEqual([]);
  });

  it('no folder is a catch-all', () => {
    const folders = sources.flatMap((file) => path.dirname(fromSrc(file)).split('/'));
    expect(folders.filter((folder) => CATCH_ALLS.has(folder))).toEqual([]);
  });

  it('no test is skipped without saying why, none runs alone', () => {
    const wrong = tests
      .filter((file) => file !== import.meta.filename)
      .flatMap((file) =>
        silentSkips(fs.readFileSync(file, 'utf8')).map((found) => `${path.relative(ROOT, file)}: ${found}`),
      );
    expect(wrong).toEqual([]);
  });

  it.each([
    ["it.skip('x', f)", 1],
    ["describe.only('x', f)", 1],
    ['context.skip()', 1],
    ["it.skipIf(a(b(1)))('x', f)", 1],
    ["it.skipIf(a(b(1)))(\n 'x (needs b)', f)", 0],
    ['describe.skipIf(reason)(title, f)', 0],
    ["context.skip('no b here')", 0],
  ])('would notice %s', (text, count) => expect(silentSkips(text)).toHaveLength(count));
});
