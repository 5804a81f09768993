import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { buildPrograms, call, type Programs } from './program.ts';

let programs: Programs;
let shop: Workshop;
const ids: Record<string, string> = {};
beforeAll(async () => {
  programs = await buildPrograms();
  shop = await openWorkshop();
  ids.first = shop.human('a.ts', 'let one = 1;\n').commit('first').slice(0, 7);
  shop.git('checkout', '-q', '-b', 'side');
  shop.ai('b.ts', 'let b = 2;\n');
  shop.human('yarn.lock', 'left: out\n');
  ids.side = shop.commit('side').slice(0, 7);
  shop.git('checkout', '-q', 'main');
  shop.ai('a.ts', 'let one = 1;\nlet two = 2;\nlet three = 3;\n');
  shop.human('c d.ts', 'let typed = 1;\n');
  ids.second = shop.commit('second').slice(0, 7);
  shop.git('merge', '-q', '-m', 'merged', 'side');
  ids.merge = shop.git('rev-parse', '--short=7', 'HEAD');
  shop.git('mv', 'a.ts', 'moved.ts');
  ids.moved = shop.commit('moved').slice(0, 7);
  await shop.work();
}, 60_000);
afterAll(() => {
  programs.remove();
  shop.remove();
});

/** Through the built program; times differ, so that the order is that of history. */
const log = (...args: string[]) => {
  const command = ['git', 'agent', 'log', '--topo-order', ...args];
  return call(programs, shop.dir, command, { HOME: shop.home, GIT_CONFIG_NOSYSTEM: '1' });
};
const lines = (...args: string[]) =>
  log(...args)
    .stdout.split('\n')
    .slice(0, -1);
const subjects = (...args: string[]) => lines('--json', ...args).map((line) => JSON.parse(line).subject);

describe('git agent log prints', () => {
  it('--oneline: one line for each commit, with the shares; whole subjects in a pipe', () => {
    expect(lines('--oneline', '--first-parent')).toEqual([
      `${ids.moved}            (HEAD -> main) moved`,
      `${ids.merge}            merged`,
      `${ids.second} AAAAAAAHHH second  A 67 %, H 33 %`,
      `${ids.first} HHHHHHHHHH first  H 100 %`,
    ]);
    expect(lines('--oneline', '--no-decorate', '-1')).toEqual([`${ids.moved}            moved`]);
    expect(lines('--oneline', '-1', '--decorate', 'side')).toEqual([`${ids.side} AAAAAAAAAA (side) side  A 100 %`]);
    expect(lines('--oneline', '--decorate=full', '-1')[0]).toContain('(HEAD -> refs/heads/main)');
  });

  it("--graph: git's own drawing beside every line", () => {
    const drawn = (...args: string[]) =>
      lines('--graph', ...args).map((line) => /^[*|\\/ ]*/.exec(line)?.[0].trimEnd());
    const gits = shop.git('log', '--graph', '--topo-order', '--format=tformat:x').split('\n');
    expect(drawn('--oneline')).toEqual(gits.map((line) => line.replace(/ *x?$/, '')));
    expect(lines('--graph').slice(1, 20)).toEqual([
      expect.stringMatching(`^\\* ${ids.moved} `),
      '|     moved',
      '|     no added lines to count',
      '|',
      expect.stringMatching(`^\\*   ${ids.merge} `),
      '|\\      merged',
      '| |     no added lines to count',
      '| |',
      expect.stringMatching(`^\\| \\* ${ids.side} `),
      '| |     side',
      '| |     AAAAAAAAAAAAAAAAAAAA  A 1 (100 %)',
      '| |     claude-code claude-opus-4-5, session s1, 1 line',
      '| |',
      expect.stringMatching(`^\\* \\| ${ids.second} `),
      '|/      second',
      '|       AAAAAAAAAAAAAHHHHHHH  A 2 (67 %), H 1 (33 %)',
      '|       claude-code claude-opus-4-5, session s1, 2 lines',
      '|',
      expect.stringMatching(`^\\* ${ids.first} `),
    ]);
  });

  it('--stat: the shares of each file that counts', () => {
    expect(lines('--stat', '--oneline', `${ids.first}..${ids.second}`).slice(1)).toEqual([
      '    a.ts   | 2 AAAAAAAAAA  A 2 (100 %)',
      '    c d.ts | 1 HHHHHHHHHH  H 1 (100 %)',
    ]);
    expect(lines('--stat', '--oneline', '-1', 'side').slice(1)).toEqual(['    b.ts | 1 AAAAAAAAAA  A 1 (100 %)']);
  });

  it('-p: what a commit changes, painted by origin, also what does not count; of a move and a merge no lines', () => {
    const patch = lines('-p', '--oneline', '-1', 'side').slice(1);
    const marked = patch.filter((line) => /^[AH?M] \+/.test(line));
    expect(marked).toEqual(['A +let b = 2;', 'H +left: out']);
    expect(patch[0]).toBe('diff --git a/b.ts b/b.ts');
    expect(lines('-p', '--oneline', ids.second ?? '', '--', 'c d.ts').slice(1)).toEqual([
      'diff --git a/c d.ts b/c d.ts',
      'new file mode 100644',
      expect.stringMatching(/^index 0{7}\.\./),
      '--- /dev/null',
      '+++ b/c d.ts\t',
      '@@ -0,0 +1 @@',
      'H +let typed = 1;',
    ]);
    expect(lines('-p', '--oneline', '-2').slice(1)).toEqual([
      'diff --git a/a.ts b/moved.ts',
      'similarity index 100%',
      'rename from a.ts',
      'rename to moved.ts',
      `${ids.merge}            merged`,
    ]);
    expect(lines('-p', '--oneline', '-1', '--', 'moved.ts').at(-1)).toBe('rename to moved.ts');
    expect(lines('-p', '--graph', '--oneline', '-1', ids.second ?? '').at(-1)).toBe('| H +let typed = 1;');
  });
});

describe('git agent log hands to git', () => {
  it('what to look for, and in which order', () => {
    expect(subjects('-S', 'let two')).toEqual(['second']);
    expect(subjects('-Glet t[a-z]*ped')).toEqual(['second']);
    expect(subjects('--merges')).toEqual(['merged']);
    expect(subjects('--no-merges', '--reverse')).toEqual(['first', 'second', 'side', 'moved']);
    expect(subjects('--grep', 'FIRST', '--grep', 'side', '-i')).toEqual(['side', 'first']);
    expect(subjects('--author', 'nobody')).toEqual([]);
    expect(subjects('--after', '2 days ago', '-1')).toEqual(['moved']);
    expect(subjects('--before', '2001-01-31')).toEqual([]);
    expect(subjects('--all')).toEqual(['moved', 'merged', 'side', 'second', 'first']);
    expect(subjects('--branches', '--skip', '4')).toEqual(['first']);
  });

  it('nothing that it does not know, with the word that is near', () => {
    for (const [words, said] of [
      [['--onelin'], "unknown option '--onelin' (Did you mean --oneline?)"],
      [['--output=x'], "unknown option '--output=x'"],
      [['--graph', '--json'], "option '--graph' cannot be used with option '--json'"],
      [['--graph', '--reverse'], 'cannot'],
      [['--decorate=most'], '--decorate takes short, full, auto or no.'],
      [['--since', 'garbage'], '--since takes a date, not "garbage": say for example 2026-01-31,'],
      [['--before', '2026-02-30'], '--before takes a date, not "2026-02-30"'],
    ] as const) {
      const { status, stderr, stdout } = log(...words);
      expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining(said)]);
    }
  });
});
