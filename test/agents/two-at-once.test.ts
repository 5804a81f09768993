import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Installed, install, type Mode, ownScript, Stage, whyNot } from './rehearsal.ts';

const CODEX = { rehearsed: 'codex', name: 'codex' };
const asked = process.env.AGENTS === 'all' || process.env.AGENTS === 'two';
const left = asked ? (whyNot('claude') ?? whyNot('codex')) : 'AGENTS=two runs it';
const title = `two real agents at once${left ? ` (left out: ${left})` : ''}`;

describe.skipIf(left)(title, () => {
  let installed: Installed;
  let stage: Stage;
  beforeAll(async () => {
    installed = await install();
  });
  afterAll(() => installed.remove());
  afterEach(() => stage.remove());

  test.each<Mode>(['hooks', 'transcripts'])(
    'by %s: each its own files, one file by turns, a person in between: every line is its writer’s',
    async (mode) => {
      stage = new Stage(mode, installed);
      const agents = mode === 'hooks' ? 'claude-code,codex --trust-hooks' : 'none';
      stage.run('sh', ['-c', `git agent init --agents ${agents}`]);
      stage.human('both.txt', 'alpha\nbeta\ngamma\ndelta\nepsilon\nzeta\n').commit('start');
      const first = stage.play(ownScript('two-claude'), { ownModel: true });
      const second = playCodex(stage);
      // whoever fails never comes to where it waits
      await Promise.race([Promise.all([isWaiting('first'), isWaiting('second')]), first, second]);
      stage.human('both.txt', stage.read('both.txt').replace('gamma\n', 'gamma\ntyped in between\n'));
      stage.human('mine.txt', 'typed\n');
      go('second');
      await second;
      stage.human('both.txt', `typed on top\n${stage.read('both.txt')}`);
      go('first');
      await first;
      stage.human('two/own.txt', `${stage.read('two/own.txt')}typed below\n`).commit('all of it');
      for (const moment of ['pending', 'worked']) {
        expect(told(), moment).toEqual({
          'both.txt': shown('h h 1 h h 2 1 h 1'),
          'mine.txt': shown('h'),
          'one/made.txt': shown('1s'),
          'one/own.txt': '1 1',
          'two/later.txt': shown('2s'),
          'two/made.txt': shown('2s'),
          'two/own.txt': shown('2 h'),
        });
        stage.git(['agent', 'work']);
      }
    },
    120_000,
  );

  async function isWaiting(name: string): Promise<void> {
    while (!fs.existsSync(path.join(stage.root, `${name}.waiting`))) await sleep(50);
  }

  const go = (name: string) => fs.writeFileSync(path.join(stage.root, name), '');

  /** Without hooks nothing tells a shell's lines from a person's: both are unknown. */
  const shown = (words: string) =>
    words.replace(/(\d)s/g, stage.mode === 'hooks' ? '$1' : 'u').replace(/h/g, stage.mode === 'hooks' ? 'h' : 'u');

  /** A word for each line: 1 Claude Code's, 2 Codex's, each in its one session; else the letter of the type. */
  function told(): Record<string, string> {
    const files = stage.git(['ls-files', '-z']).split('\0').filter(Boolean);
    const sessions = new Map<string, Set<string>>();
    const words = stage.blame(files).map(({ lines }) =>
      lines.map((line) => {
        const { type, tool, session, event } = line;
        if (type !== 'ai') return type === 'mixed' ? JSON.stringify(line) : type.charAt(0);
        const name = tool?.name ?? '';
        sessions.set(name, (sessions.get(name) ?? new Set()).add(session ?? ''));
        return event && session ? String(['claude-code', 'codex'].indexOf(name) + 1) : JSON.stringify(line);
      }),
    );
    expect([...sessions.values()].map(({ size }) => size)).toEqual([1, 1]);
    expect(new Set([...sessions.values()].flatMap((one) => [...one])).size).toBe(2);
    return Object.fromEntries(files.map((file, i) => [file, words[i]?.join(' ') ?? '']));
  }
});

/** Codex plays a script of our own model's, in a network of its own. */
function playCodex(stage: Stage): Promise<Stage> {
  const script = ownScript('two-codex');
  const server = [process.execPath, path.join(import.meta.dirname, 'codex-model.mjs'), script, '8765'];
  const setup = `'${server.join("' '")}' >/dev/null 2>&1 & sleep 0.5`;
  const args = ['-c', 'model_providers.rehearsal.base_url="http://127.0.0.1:8765/v1"'];
  return stage.play(script, { agent: CODEX, setup, args });
}
