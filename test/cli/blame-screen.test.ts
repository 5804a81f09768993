import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { blame } from '../../src/commands/blame.ts';
import { inWorld, Sandbox } from './program.ts';

const sandboxes: Sandbox[] = [];
afterEach(() => {
  for (const one of sandboxes.splice(0)) one.remove();
});

/** An agent's two lines between a person's, with a conversation that the web has. */
function story() {
  const repo = new Sandbox();
  sandboxes.push(repo);
  repo.write('a.ts', 'one\nfour\n').commit('first');
  const second = repo.write('a.ts', 'one\ntwo\nthree\nfour\n').commit('second');
  repo.note(second, 'a.ts', [2, 3]);
  const note = repo.git('notes', '--ref=agent/trace', 'show', second);
  const web = note.replace('agentlog:s1#e1', 'https://example.com/s1');
  repo.git('notes', '--ref=agent/trace', 'add', '-f', '-m', web, second);
  return { repo, second };
}

/** What a person at a terminal sees. */
async function seen(cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  let printed = '';
  const out = {
    isTTY: true,
    columns: 80,
    write: async (text: string | Uint8Array) => {
      printed += Buffer.from(text).toString();
    },
  };
  const clean = { ...process.env, GIT_PAGER: 'cat', TERM: 'xterm', NO_COLOR: '1', TERM_PROGRAM: '', VTE_VERSION: '' };
  const { status, stderr } = await inWorld(blame, cwd, args, { out, env: { ...clean, ...env } });
  if (status !== 0) throw new Error(stderr);
  return printed;
}

const LINK = '\x1b]8;;https://example.com/s1\x1b\\';

describe('git agent-blame on a terminal', () => {
  it('--group has one heading for the lines of one hand', async () => {
    const { repo, second } = story();
    const day = repo.git('log', '-1', '--format=%ad', '--date=short');
    const { stdout } = await inWorld(blame, repo.dir, ['--group', '--date=short', '-L2,4', 'a.ts']);
    expect(stdout).toContain(
      `A claude-code claude-opus-4-5  ${second.slice(0, 8)}  ${day}  lines 2-3\n  2  two\n  3  three\n\n? Ada  `,
    );
    expect(stdout).toMatch(/\n3 lines: A ai 2 \(67%\), .*\n$/);
  });

  it('has links where the terminal is known to show them, or when told to', async () => {
    const { repo } = story();
    expect(await seen(repo.dir, ['a.ts'])).not.toContain('\x1b');
    expect(await seen(repo.dir, ['a.ts'], { VTE_VERSION: '7600' })).toContain(LINK);
    expect(await seen(repo.dir, ['--no-hyperlinks', 'a.ts'], { VTE_VERSION: '7600' })).not.toContain('\x1b');
    expect(await seen(repo.dir, ['--group', '--hyperlinks', 'a.ts'])).toContain(LINK);
    expect((await inWorld(blame, repo.dir, ['--hyperlinks=always', 'a.ts'])).stdout).toContain(LINK);
    expect((await inWorld(blame, repo.dir, ['--hyperlinks', '--json', 'a.ts'])).stdout).not.toContain('\x1b');
    expect((await inWorld(blame, repo.dir, ['--hyperlinks=now', 'a.ts'])).status).toBe(2);
  });

  it('gives a pager that is not known to pass links on none', async () => {
    const { repo } = story();
    const copy = path.join(repo.dir, 'seen');
    // a pager's output is the screen's: it is caught in a file
    const through = async (env: Record<string, string>, ...args: string[]) => {
      await seen(repo.dir, [...args, 'a.ts'], { VTE_VERSION: '7600', GIT_PAGER: `cat > ${copy}`, ...env });
      return fs.readFileSync(copy, 'utf8');
    };
    expect(await through({})).not.toContain('\x1b');
    expect(await through({}, '--hyperlinks')).toContain(LINK);
  });

  it('uses a narrow screen for the text: short dates, cut names; formats that were asked for stay', async () => {
    const { repo } = story();
    const day = repo.git('log', '-1', '--format=%ad', '--date=short');
    const [, two = ''] = (await seen(repo.dir, ['a.ts'])).split('\n');
    expect(two).toMatch(new RegExp(`A \\(claude-code.*…? ${day} 2\\) two$`));
    expect(two.indexOf('two')).toBeLessThanOrEqual(52);
    const iso = repo.git('log', '-1', '--format=%ad', '--date=iso');
    expect(await seen(repo.dir, ['--date=iso', 'a.ts'])).toContain(`${iso} 2) two\n`);
    // nobody looks: as it always was
    expect((await inWorld(blame, repo.dir, ['a.ts'])).stdout).toContain(`(claude-code claude-opus-4-5 ${iso} 2) two\n`);
  });
});
