import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agent } from '../../src/commands/agent.ts';
import { blame } from '../../src/commands/blame.ts';
import { VERBS } from '../../src/commands/index.ts';
import { Fault } from '../../src/fault.ts';
import { buildPrograms, call, inWorld, type Programs, Sandbox } from './program.ts';

let programs: Programs;
let repo: Sandbox;
beforeAll(async () => {
  programs = await buildPrograms();
  repo = new Sandbox();
  repo.note(repo.write('a', 'one\n').commit(), 'a', [1, 1]);
});
afterAll(() => {
  programs.remove();
  repo.remove();
});

const run = (...args: string[]) => inWorld(agent, repo.dir, args);

/** Verbs that hooks call are not shown. */
const isOpen = ({ name }: { name: string }) => name !== 'work' && name !== 'push-notes';

describe('git agent', () => {
  it('every verb is called as it is named, has a summary, and helps', async () => {
    for (const verb of VERBS) {
      const { name, summary } = await verb.load();
      expect(name).toBe(verb.name);
      expect(summary).not.toBe('');
      for (const flag of ['-h', '--help']) {
        const { status, stdout, stderr } = await run(verb.name, flag);
        expect([verb.name, status, stderr]).toEqual([verb.name, 0, '']);
        expect(stdout).toMatch(/^usage:/i);
      }
    }
  });

  it.each(['git-agent status', 'git-agent check', 'git-agent-blame a'])(
    '%s in a folder that is gone says so',
    (command) => {
      const gone = `mkdir gone && cd gone && rmdir ../gone && ${command}`;
      const { status, stdout, stderr } = spawnSync('sh', ['-c', gone], {
        cwd: repo.dir,
        env: programs.env,
        encoding: 'utf8',
      });
      expect([status, stdout]).toEqual([3, '']);
      expect(stderr).toMatch(/^git agent(-blame)?: The current folder is not there any more: go into another one\.\n$/);
    },
  );

  it('lists the verbs, but not those for itself', async () => {
    const { status, stdout } = await run('--help');
    expect(status).toBe(0);
    for (const { name } of VERBS.filter(isOpen)) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(stdout).not.toMatch(/^ {2}(work|push-notes) /m);
  });

  it.each<[string, string[], number, RegExp]>([
    ['no verb', [], 2, /^Usage: git agent/],
    ['an unknown verb', ['statsu'], 2, /^git agent: unknown command 'statsu' \(Did you mean status\?\)\n$/],
    ['an unknown option', ['version', '--jsn'], 2, /^git agent: unknown option '--jsn'/],
    ['too many arguments', ['version', 'a'], 2, /^git agent: too many arguments/],
    [
      'a missing argument',
      ['completion'],
      2,
      /^git agent: missing required argument 'shell': git agent completion -h shows how to call it\.\n$/,
    ],
    ['an unknown shell', ['completion', 'tcsh'], 2, /^git agent: There is no completion for tcsh/],
  ])('%s', async (_, args, code, message) => {
    const { status, stdout, stderr } = await run(...args);
    expect([status, stdout]).toEqual([code, '']);
    expect(stderr).toMatch(message);
  });

  it.each([[['version']], [['--version']], [['blame', '--version']]])('%j', async (args) => {
    const { status, stdout } = await run(...args);
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^(git-agent-blame )?1\.2\.3\n$/)]);
  });

  it('both programs are found by git', () => {
    expect(call(programs, repo.dir, ['git', 'agent', 'version']).stdout).toBe('git-agent-blame 1.2.3\n');
    expect(call(programs, repo.dir, ['git', 'agent-blame', '--version']).stdout).toBe('git-agent-blame 1.2.3\n');
    const { status, stderr } = call(programs, repo.dir, ['git', 'agent', 'nope']);
    expect([status, stderr]).toEqual([2, "git agent: unknown command 'nope': git agent -h shows the verbs.\n"]);
  });
});

describe('mistakes', () => {
  const failing = (error: unknown) => async () => {
    throw error;
  };

  it.each<[unknown, number]>([
    [new Fault('refused', 'x'), 1],
    [new Fault('usage', 'x'), 2],
    [new Fault('surroundings', 'x'), 3],
    [new Fault('git', 'x'), 3],
    [new Fault('bug', 'x'), 70],
    [new TypeError('x'), 70],
    ['x', 70],
  ])('%s ends with %i', async (error, code) => {
    const { status, stdout, stderr } = await inWorld(failing(error), '/', [], { env: {} });
    expect([status, stdout]).toEqual([code, '']);
    expect(stderr).toMatch(
      code === 70
        ? /^git agent: this is a mistake of ours, please report it: x .*\n$/
        : /^git agent: x( \(git agent doctor looks for the cause\))?\n$/,
    );
  });

  it('shows the stack only when asked', async () => {
    const { stderr } = await inWorld(failing(new TypeError('x')), '/', [], { env: { AGENT_DEBUG: '1' } });
    expect(stderr).toMatch(/^TypeError: x\n\s+at /);
  });
});

const hasScript = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

describe('terminal', () => {
  beforeAll(() => void repo.write('big', 'line\n'.repeat(10_000)).commit());
  beforeEach((context) => {
    if (!hasScript) context.skip('script(1) of util-linux is not here to make a terminal');
  });

  /** Runs a command line on a terminal of its own; gives what the terminal was sent. */
  const onTerminal = (command: string, env: NodeJS.ProcessEnv = {}) =>
    spawnSync('script', ['-qec', command, '/dev/null'], {
      cwd: repo.dir,
      encoding: 'utf8',
      env: { ...programs.env, TERM: 'xterm', PAGER: '', GIT_PAGER: '', ...env },
    }).stdout.replaceAll('\r\n', '\n');

  it('has colours, a pipe has none', () => {
    expect(onTerminal('git agent-blame a')).toContain('\x1b[35mA\x1b[0m');
    expect(onTerminal('git agent-blame a', { NO_COLOR: '1' })).not.toContain('\x1b');
    expect(onTerminal('git agent-blame --no-color a')).not.toContain('\x1b');
    expect(onTerminal('git -c color.ui=false agent-blame a')).not.toContain('\x1b');
    expect(call(programs, repo.dir, ['git', 'agent-blame', 'a']).stdout).not.toContain('\x1b');
    expect(call(programs, repo.dir, ['git', 'agent-blame', '--color', 'a']).stdout).toContain('\x1b[35mA');
  });

  it('has the pager that git would start, with LESS set', () => {
    const pager = "sed 's/^/paged /'; echo LESS=$LESS";
    const { GIT_PAGER: _, ...env } = programs.env;
    const paged = (command: string, over: NodeJS.ProcessEnv) =>
      spawnSync('script', ['-qec', command, '/dev/null'], {
        cwd: repo.dir,
        encoding: 'utf8',
        env: { ...env, TERM: 'xterm', ...over },
      }).stdout;
    expect(paged('git agent-blame -s a', { GIT_PAGER: pager })).toMatch(
      /^paged .*\r\npaged .*1 line: .*\r\nLESS=FRX\r\n$/,
    );
    expect(paged('git agent-blame -s a', { PAGER: pager, LESS: 'R' })).toContain('LESS=R\r\n');
    expect(paged('git -c core.pager="tr a-z A-Z" agent-blame -s --no-color a', {})).toContain('1) ONE');
    for (const quiet of [
      'git --no-pager agent-blame a',
      'git agent-blame --no-pager a',
      'git agent-blame --json a',
      'git agent-blame a | cat',
    ]) {
      expect(paged(quiet, { GIT_PAGER: pager })).not.toContain('paged');
    }
    expect(paged('git agent-blame a', { GIT_PAGER: 'cat' })).toContain('one\r\n');
  });

  it('a pager that is left early is no error', () => {
    expect(onTerminal('git agent-blame big; echo code $?', { GIT_PAGER: 'head -n 1' })).toMatch(/ 1\) line\ncode 0\n$/);
  });

  it.each(['/nowhere/pager', '/dev/null'])(
    'what %s cannot show as a pager is on the terminal all the same',
    (pager) => {
      const shown = onTerminal('git agent-blame --no-color big; echo code $?', { GIT_PAGER: pager });
      expect(shown).toContain(`${pager}: `);
      expect(shown.match(/\) line$/gm)).toHaveLength(10_000);
      expect(shown).toMatch(/code 0\n$/);
      expect(onTerminal('git -c color.ui=false agent log; echo code $?', { GIT_PAGER: pager })).toMatch(
        /\n {4}change\n(.*\n)*code 0\n$/,
      );
    },
  );
});

describe('start-up', () => {
  it('the help of blame is the same by both names', async () => {
    const direct = await inWorld(blame, repo.dir, ['-h']);
    expect((await run('blame', '-h')).stdout).toBe(direct.stdout);
  });
});
