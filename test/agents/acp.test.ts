import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Installed, install, rehearsalScript, Stage, whyNoStage, whyNot } from './rehearsal.ts';

const PROGRAM = path.join(import.meta.dirname, '..', '..', '..', 'shared', 'rehearsal-acp', 'acp-rehearse');
const wanted = (name: string) => process.env.AGENTS === 'all' || process.env.AGENTS === name;
const left = fs.existsSync(PROGRAM) ? whyNoStage() : 'the rehearsal is not beside the repository';
const title = `agents behind the protocol${left ? ` (left out: ${left})` : ''}`;

/** The agents as the rehearsal and as we call them. */
const REAL = ['opencode', 'gemini', 'claude-agent', 'claude', 'codex', 'codex-zed'];
const asked = REAL.filter((name) => wanted('acp') || wanted(name));
const leftReal = left ?? (asked.length === 0 ? 'AGENTS=acp runs them' : whyNot('claude'));
const NAMES: Record<string, string> = {
  gemini: 'gemini-cli',
  claude: 'claude-code',
  'claude-agent': 'claude-code',
  'codex-zed': 'codex',
};

describe.skipIf(left)(title, () => {
  let installed: Installed;
  let stage: Stage;
  beforeAll(async () => {
    installed = await install();
  });
  afterAll(() => installed.remove());
  afterEach(() => stage.remove());

  /** What the client printed; every byte that passed is compared by an agent of our own. */
  function converse(agent: string, script: string, ...more: string[]): { status: number | null; out: string } {
    const args = [
      agent,
      rehearsalScript(script),
      stage.dir,
      '--home',
      stage.home,
      '--tap',
      'git agent acp --',
      ...more,
    ];
    const cache = process.env.REHEARSAL_CACHE ?? path.join(os.homedir(), '.cache', 'agent-rehearsal');
    const env = { ...installed.env, HOME: stage.home, REHEARSAL_CACHE: cache };
    const { status, stdout, stderr } = spawnSync(PROGRAM, args, { env, encoding: 'utf8', maxBuffer: 1 << 28 });
    return { status, out: stdout + stderr };
  }

  /** Hooks of some agent vouch for a person's lines; the agent in question has none here. */
  function begin(): void {
    stage = new Stage('hooks', installed);
    stage.init().human('src/app.ts', "import http from 'node:http';\nconst port = 3000;\nhttp.createServer();\n");
    stage.commit('start');
  }

  const types = (file: string) =>
    stage
      .blame([file])[0]
      ?.lines.map(({ type }) => type.charAt(0))
      .join('');

  test.each(['log-agent', 'hostile'])(
    '%s: not a byte is changed, edits through the client and past it are known, all levels of logs are kept',
    (agent) => {
      begin();
      const { status, out } = converse(agent, 'basic', '--logging');
      expect(out).toContain('agree');
      expect(out).not.toContain('DIFFER');
      expect(status).toBe(0);
      stage.human('mine.txt', 'typed\n').commit();
      expect([types('via-client.txt'), types('via-disk.txt')]).toEqual(['a', 'a']);
      // edits that somebody claims and nobody made leave doubt
      expect(types('mine.txt')).toBe(agent === 'hostile' ? 'u' : 'h');
      const log = stage.git(['agent', 'acp', '--log']);
      for (const level of ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'])
        expect(log).toContain(` ${level} `);
      const session = stage.blame(['via-disk.txt'])[0]?.lines[0]?.session;
      expect(stage.git(['agent', 'show', String(session)])).not.toContain('emergency');
    },
    120_000,
  );

  test('the exit code is the agent’s', () => {
    begin();
    const run = (...command: string[]) =>
      spawnSync('git', ['agent', 'acp', '--', ...command], { cwd: stage.dir, env: installed.env, input: '' }).status;
    expect([run('sh', '-c', 'exit 7'), run('sh', '-c', 'kill -TERM $$'), run('no-such-program')]).toEqual([
      7, 143, 127,
    ]);
  });

  for (const agent of REAL) {
    const reason = leftReal ?? (asked.includes(agent) ? undefined : `AGENTS=${agent} runs it`);
    const name = `the real ${agent}${reason ? ` (left out: ${reason})` : ''}`;
    test.skipIf(reason)(
      name,
      () => {
        begin();
        expect(converse(agent, 'basic').status).toBe(0);
        stage.human('mine.txt', 'typed\n').commit();
        for (const moment of ['pending', 'worked']) {
          const told = Object.fromEntries(
            ['src/greet.ts', 'notes.txt', 'src/app.ts', 'mine.txt'].map((file) => [file, types(file)]),
          );
          expect(told, moment).toEqual({
            'src/greet.ts': 'aaa',
            'notes.txt': 'aa',
            'src/app.ts': 'haah',
            'mine.txt': 'h',
          });
          stage.git(['agent', 'work']);
        }
        expect(stage.blame(['notes.txt'])[0]?.lines[0]?.tool?.name).toBe(NAMES[agent] ?? agent);
      },
      240_000,
    );
  }
});
