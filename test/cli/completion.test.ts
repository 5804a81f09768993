import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agent } from '../../src/commands/agent.ts';
import { VERBS } from '../../src/commands/index.ts';
import { removeFolder } from '../support/remove.ts';
import { hasTmux, Terminal } from '../tui/tmux.ts';
import { buildPrograms, inWorld, type Programs, Sandbox } from './program.ts';

let programs: Programs;
let repo: Sandbox;
let home: string;
beforeAll(async () => {
  programs = await buildPrograms();
  repo = new Sandbox();
  repo.write('a', 'one\n').commit();
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'home-'));
});
afterAll(() => {
  programs.remove();
  repo.remove();
  removeFolder(home);
});

const run = (...args: string[]) => inWorld(agent, repo.dir, args);

/** Verbs that hooks call are not offered. */
const isOpen = ({ name }: { name: string }) => name !== 'work' && name !== 'push-notes';

describe('completion', () => {
  const script = async (shell: string) => (await run('completion', shell)).stdout;

  it("bash offers verbs, options and files through git's own completion", async (context) => {
    const gits = [
      '/usr/share/bash-completion/completions/git',
      '/usr/share/git-core/contrib/completion/git-completion.bash',
    ].find((file) => fs.existsSync(file));
    if (!gits) context.skip("git's bash completion is not installed here");
    const file = path.join(programs.dir, 'completion.bash');
    fs.writeFileSync(file, await script('bash'));
    const wrapped = new Map([
      ['git', '__git_wrap__git_main'],
      ['git-agent', '__git_agent_command'],
      ['git-agent-blame', '__git_agent_blame_command'],
    ]);
    const offer = (...words: string[]) => {
      const program = `source ${gits}; source ${file}
        COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
        COMP_LINE="\${COMP_WORDS[*]}"; COMP_POINT=\${#COMP_LINE}
        ${wrapped.get(words[0] ?? '')}; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['--norc', '-c', program], { cwd: repo.dir, encoding: 'utf8' })
        .split('\n')
        .map((word) => word.trim())
        .filter(Boolean);
    };
    expect(offer('git', 'agent', 'st')).toContain('status');
    expect(offer('git', 'agent', '')).not.toContain('work');
    expect(offer('git', 'agent', 'sessions', '--j')).toContain('--json');
    expect(offer('git', 'agent', 'blame', '--ign')).toEqual(
      expect.arrayContaining([expect.stringMatching(/^--ignore-rev/)]),
    );
    expect(offer('git', 'agent-blame', '--js')).toContain('--json');
    expect(offer('git', 'agent-blame', 'mai')).toContain('main');
    // values: of options, attached or not, and after a verb; what the repository has
    expect(offer('git', 'agent', 'report', '--format', 'm')).toEqual(['markdown']);
    expect(offer('git', 'agent', 'report', '--by', '')).toContain('model');
    expect(offer('git', 'agent', 'init', '--agents', 'cla')).toEqual(['claude-code']);
    expect(offer('git', 'agent', 'completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(offer('git', 'agent', 'config', 'agent.sha')).toEqual(['agent.share']);
    expect(offer('git', 'agent', 'config', 'agent.share', '')).toEqual(['asked', 'always', 'never']);
    expect(offer('git-agent', 'config', '--global', 'agent.push', 'f')).toEqual(['false']);
    expect(offer('git', 'agent', 'log', '--onel')).toEqual(['--oneline']);
    repo.git('remote', 'add', 'somewhere', '/nowhere');
    expect(offer('git', 'agent', 'push', 's')).toEqual(['somewhere']);
    expect(offer('git', 'agent', 'forget', '--remote', '')).toEqual(['somewhere']);
    expect(offer('git', 'agent-blame', '--color=al')).toEqual(['always']);
    repo.git('remote', 'remove', 'somewhere');
    expect(offer('git-agent', 'report', '--format=j')).toEqual(['json']);
    expect(offer('git-agent', 'stat')).toEqual(['status']);
    expect(offer('git-agent-blame', '--js')).toEqual(['--json']);
  });

  it('zsh and fish name every verb and its options', async () => {
    for (const shell of ['zsh', 'fish', 'bash']) {
      const text = await script(shell);
      for (const { name } of VERBS.filter(isOpen)) expect(text).toContain(name);
      expect(text).toMatch(/line-porcelain/);
      for (const values of ['always auto never', 'git remote', 'git agent sessions', 'text json markdown html sarif'])
        expect(text).toContain(values);
      expect(text).not.toMatch(/\bwork\b(?! tree)/);
    }
  });
});

/** As the help says. */
async function install(shell: string, folder: string): Promise<void> {
  const help = (await run('completion', '-h')).stdout;
  const said = new RegExp(`^In ${shell}: +(git agent completion [^,\\n]*)`, 'm').exec(help)?.[1] ?? 'false';
  fs.mkdirSync(folder, { recursive: true });
  execFileSync('sh', ['-c', said], { cwd: folder, env: { ...programs.env, HOME: home } });
}

const isThere = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;
const hasZsh = hasTmux && isThere('zsh');
const hasFish = isThere('fish');

describe.skipIf(!hasZsh)('in a new zsh (needs zsh, tmux)', () => {
  // a shell that has completed once has loaded what a new one has not
  it.each([
    ['git agent statu', 'git agent status'],
    ['git agent-blame --hyperl', 'git agent-blame --hyperlinks'],
    ['git agent blame --hyperl', 'git agent blame --hyperlinks'],
    ['git agent config agent.shar', 'git agent config agent.share'],
    ['git agent config agent.share al', 'git agent config agent.share always'],
    ['git-agent config --global agent.push f', 'git-agent config --global agent.push false'],
    ['git-agent statu', 'git-agent status'],
    ['git-agent-blame --hyperl', 'git-agent-blame --hyperlinks'],
  ])('%s is completed at the first and the second TAB', async (typed, wanted) => {
    const folder = path.join(home, 'functions');
    await install('zsh', folder);
    const terminal = new Terminal({ cwd: repo.dir, env: { ...programs.env, HOME: home } });
    try {
      terminal
        .type('exec zsh -f')
        .type(`fpath=(${folder} $fpath); autoload -Uz compinit; compinit -u -D; echo rea''dy`);
      await terminal.until('ready');
      for (let i = 0; i < 2; i++) {
        terminal.keys('C-l').keys('-l', typed).keys('Tab');
        await terminal.until(wanted);
        terminal.keys('C-c', 'C-l');
      }
    } finally {
      terminal.close();
    }
  });
});

describe.skipIf(!hasFish)('in a new fish (needs fish)', () => {
  it.each([
    ['git agent st', 'status'],
    ['git agent-blame --hyp', '--hyperlinks'],
    ['git agent config agent.sha', 'agent.share'],
    ['git agent config agent.share al', 'always'],
    ['git-agent config agent.retention ', 'never'],
    ['git-agent st', 'status'],
    ['git-agent-blame --hyp', '--hyperlinks'],
    ['git commit --am', '--amend'],
  ])('%s is completed', async (typed, wanted) => {
    await install('fish', path.join(home, '.config/fish/conf.d'));
    const env = { ...programs.env, HOME: home };
    const offered = execFileSync('fish', ['-c', `complete -C '${typed}'`], { cwd: repo.dir, env, encoding: 'utf8' });
    expect(offered.split('\n').map((line) => line.split('\t')[0])).toContain(wanted);
  });
});
