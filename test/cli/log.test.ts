import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { agent } from '../../src/commands/agent.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { inWorld } from './program.ts';

const shops: Workshop[] = [];
const folders: string[] = [];
afterEach(() => {
  for (const shop of shops.splice(0)) shop.remove();
  for (const folder of folders.splice(0)) removeFolder(folder);
});

/** A person's commit, one that both have a part in, one that adds nothing. */
async function story() {
  const shop = await openWorkshop();
  shops.push(shop);
  const first = shop.human('src/a.ts', 'let one = 1;\n').commit('first \x1b[31mred');
  shop.ai('src/a.ts', 'let one = 1;\nlet two = 2;\nlet three = 3;\n');
  shop.human('b.ts', 'let typed = 1;\n');
  shop.ai('c.ts', 'let c = 3;\n', 's2');
  const second = shop.commit('second');
  shop.human('b.ts', '');
  const third = shop.commit('third');
  return { shop, first, second, third };
}

async function json(shop: Workshop, ...args: string[]) {
  const { status, stdout, stderr } = await shop.agent('log', '--json', ...args);
  if (status !== 0) throw new Error(stderr);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

describe('git agent log', () => {
  it('prints for each commit who wrote its lines, and the sessions; pending or worked in', async () => {
    const { shop, first, second, third } = await story();
    const day = shop.git('log', '-1', '--format=%ad', '--date=short');
    const author = shop.git('log', '-1', '--format=%an');
    const expected = [
      'lines added: A by an agent, M by both, H by a person, ? by nobody knows whom',
      '',
      `${third.slice(0, 7)}  ${day}  ${author}  (HEAD -> main)`,
      '    third',
      '    no added lines to count',
      '',
      `${second.slice(0, 7)}  ${day}  ${author}`,
      '    second',
      '    AAAAAAAAAAAAAAAHHHHH  A 3 (75 %), H 1 (25 %)',
      '    claude-code claude-opus-4-5, session s1, 2 lines',
      '    claude-code claude-opus-4-5, session s2, 1 line',
      '',
      `${first.slice(0, 7)}  ${day}  ${author}`,
      '    first red',
      '    HHHHHHHHHHHHHHHHHHHH  H 1 (100 %)',
      '',
    ].join('\n');
    expect(await shop.agent('log')).toMatchObject({ status: 0, stdout: expected, stderr: '' });
    await shop.work();
    expect((await shop.agent('log')).stdout).toBe(expected);
  });

  it('takes ranges, numbers and paths as git log does, and counts only these paths', async () => {
    const { shop, first, second, third } = await story();
    const ids = async (...args: string[]) => (await json(shop, ...args)).map(({ commit }) => commit);
    expect(await ids()).toEqual([third, second, first]);
    expect(await ids(`${first}..HEAD`)).toEqual([third, second]);
    expect(await ids('-1')).toEqual([third]);
    expect(await ids('-n', '1', second)).toEqual([second]);
    expect(await ids('--reverse', `^${second}`, 'HEAD')).toEqual([third]);
    expect(await ids('--grep', 'second', '--since', '2000-01-01')).toEqual([second]);
    expect(await ids('src')).toEqual([second, first]);
    const inside = shop.in(path.join(shop.dir, 'src'));
    const [only] = await json(inside, '-1', '--', '../c.ts');
    expect(only).toEqual({
      schema: 'git-agent-blame/log@1',
      commit: second,
      author: shop.git('log', '-1', '--format=%an'),
      authorMail: shop.git('log', '-1', '--format=%ae'),
      authorTime: shop.git('log', '-1', '--format=%aI', second),
      subject: 'second',
      recorded: true,
      summary: { total: 1, ai: 1, human: 0, mixed: 0, unknown: 0 },
      sessions: [
        {
          tool: { name: 'claude-code', version: '2.1.197' },
          session: 's2',
          models: ['anthropic/claude-opus-4-5-20251101'],
          conversation: 'agentlog:s2',
          lines: 1,
        },
      ],
    });
  });

  it('refuses what it does not know, and says so where there is nothing', async () => {
    const { shop } = await story();
    for (const [words, said] of [
      [['--frog'], "unknown option '--frog': git agent log -h shows how to call it."],
      [['nothing'], 'nothing is neither a revision nor a file'],
      [['-n', 'x'], '--max-count needs a number'],
    ] as const) {
      const { status, stderr } = await shop.agent('log', ...words);
      expect([status, stderr]).toEqual([2, expect.stringContaining(said)]);
    }
    const empty = await openWorkshop({ agents: false });
    shops.push(empty);
    expect(await empty.agent('log')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('does not have any commits'),
    });
    empty.human('a', 'x\n').commit('one');
    const { stdout } = await empty.agent('log');
    expect(stdout).toContain('    ????????????????????  ? 1 (100 %)  (no record)\n');
  });

  it('tells of the first commits before it has looked at the last, and ends when nobody reads on', async () => {
    const dir = makeFolder('long');
    folders.push(dir);
    execFileSync('git', ['init', '-q', '-b', 'main', dir]);
    execFileSync('git', ['-C', dir, 'fast-import', '--quiet'], { input: [...history(1200)].join('') });
    const pieces: number[] = [];
    const out = {
      isTTY: false,
      columns: undefined,
      write: async (text: string | Uint8Array) => {
        pieces.push(String(Buffer.from(text)).match(/^\{/gm)?.length ?? 0);
        return pieces.length < 2;
      },
    };
    const { status } = await inWorld(agent, dir, ['log', '--json'], { out });
    expect(pieces).toEqual([16, 64]);
    expect(status).toBe(0);
    const all = await inWorld(agent, dir, ['log', '--json']);
    expect(all.stdout.match(/^\{/gm)).toHaveLength(1200);
    expect(all.stdout.startsWith('{"schema":"git-agent-blame/log@1"')).toBe(true);
  });
});

function* history(commits: number): Generator<string> {
  for (let i = 0; i < commits; i++) {
    const text = `line ${i}\n`;
    yield `commit refs/heads/main\ncommitter Ada <ada@example.com> ${1_700_000_000 + i} +0000\ndata 2\nc\n`;
    yield `M 100644 inline f${i % 50}\ndata ${text.length}\n${text}`;
  }
}
