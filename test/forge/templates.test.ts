import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { parseYaml, type Yaml } from './yaml.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const readText = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8');
const template = (file: string) => parseYaml(readText(file)) as Yaml;

/** Walks into a value: keys of maps, places of lists. */
function at(value: Yaml, ...steps: (string | number)[]): Yaml {
  return steps.reduce<Yaml>((inside, step) => {
    const found = typeof inside === 'string' ? undefined : (inside as Record<string | number, Yaml>)[step];
    if (found === undefined) throw new Error(`nothing at ${steps.join('.')}`);
    return found;
  }, value);
}

let repository: TestRepository;
let bin: string;
beforeEach(() => {
  repository = makeRepository();
  bin = path.join(repository.dir, 'bin');
  // stand-ins that write down how they were called; git itself is the real one and finds `git-agent` on PATH
  for (const name of ['git-agent', 'npm']) {
    repository.write(
      `bin/${name}`,
      `#!/bin/sh\nfor a in ${name} "$@"; do printf '%s\\n' "$a"; done >> "$CALLS"\nexit 0\n`,
    );
    fs.chmodSync(path.join(bin, name), 0o755);
  }
});
afterEach(() => repository.remove());

/** Runs steps as the runner does, each in a shell of its own; gives what the stand-ins were called with. */
function run(steps: readonly Yaml[], env: Readonly<Record<string, string>> = {}): string[] {
  const calls = path.join(repository.dir, 'calls');
  for (const step of steps) {
    execFileSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', String(step)], {
      cwd: repository.dir,
      env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, HOME: repository.dir, CALLS: calls, ...env },
    });
  }
  return fs.existsSync(calls) ? fs.readFileSync(calls, 'utf8').trimEnd().split('\n') : [];
}

const PR = ['git-agent', 'pr', '--format', 'markdown', '--output', 'agent-report.md'];
const INSTALL = ['npm', 'install', '--global', '--no-audit', '--no-fund', 'git-agent-blame@latest'];

describe('action.yml', () => {
  const action = template('action.yml');
  const steps = at(action, 'runs', 'steps') as Yaml[];
  const runSteps = steps.filter((step) => typeof step !== 'string' && 'run' in step);

  /** What the runner makes of `${{ }}` for these inputs. */
  function environment(step: Yaml, inputs: Readonly<Record<string, string>>): Record<string, string> {
    const values = Object.entries(at(step, 'env')).map(([name, value]) => {
      const text = String(value).replace(/\$\{\{ (\w+)\.([\w-]+) \}\}/g, (_, room: string, key: string) => {
        if (room === 'github') return ROOT;
        return inputs[key] ?? String(at(action, 'inputs', key, 'default'));
      });
      return [name, text] as const;
    });
    return Object.fromEntries(values);
  }

  const runner = () => ({
    RUNNER_TEMP: path.join(repository.dir, 'temp'),
    GITHUB_PATH: path.join(repository.dir, 'paths'),
  });

  function play(inputs: Readonly<Record<string, string>>): string[] {
    return runSteps.flatMap((step) => {
      fs.rmSync(path.join(repository.dir, 'calls'), { force: true });
      return run([at(step, 'run')], { ...runner(), ...environment(step, inputs) });
    });
  }

  it('installs its own version and calls git agent pr', () => {
    const { version } = JSON.parse(readText('package.json'));
    const prefix = path.join(repository.dir, 'temp/git-agent-blame');
    const install = [
      'npm',
      'install',
      '--prefix',
      prefix,
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--',
    ];
    expect(play({})).toEqual([...install, `git-agent-blame@${version}`, ...PR]);
    expect(repository.read('paths')).toBe(`${prefix}/node_modules/.bin\n`);
  });

  it('hands its inputs on, whatever is in them', () => {
    const called = play({ check: 'true', format: 'sarif', report: 'a b"; touch stolen; ".sarif', package: './x.tgz' });
    expect(called.slice(9)).toEqual([
      './x.tgz',
      'git-agent',
      'pr',
      '--format',
      'sarif',
      '--output',
      'a b"; touch stolen; ".sarif',
      '--check',
    ]);
    expect(fs.existsSync(path.join(repository.dir, 'stolen'))).toBe(false);
  });

  it('shows the program the token, the base and the head', () => {
    const [, report] = runSteps;
    expect(environment(report ?? '', { token: 't', base: 'main', head: 'topic' })).toMatchObject({
      GITHUB_TOKEN: 't',
      AGENT_PR_BASE: 'main',
      AGENT_PR_HEAD: 'topic',
    });
  });

  it('puts no expression into a script: a branch may be called anything', () => {
    for (const step of runSteps) expect(String(at(step, 'run'))).not.toContain('${{');
  });

  it('has every input and output explained on the page', () => {
    const page = readText('docs/ci.md');
    const names = [...Object.keys(at(action, 'inputs')), ...Object.keys(at(action, 'outputs'))];
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('gives the outputs of the step that makes them', () => {
    const ids = steps.map((step) => (typeof step !== 'string' && 'id' in step ? at(step, 'id') : undefined));
    for (const name of ['ai-share', 'report']) {
      expect(at(action, 'outputs', name, 'value')).toBe(`\${{ steps.pr.outputs.${name} }}`);
    }
    expect(ids).toContain('pr');
  });
});

describe('docs/ci', () => {
  it('github.yml has the whole history and the permissions', () => {
    const flow = template('docs/ci/github.yml');
    expect(at(flow, 'permissions')).toEqual({ contents: 'write', 'pull-requests': 'write', checks: 'write' });
    expect(at(flow, 'jobs', 'agent-blame', 'steps', 0, 'with', 'fetch-depth')).toBe('0');
    expect(Object.keys(at(flow, 'on'))).toEqual(['pull_request', 'push']);
  });

  it('gitlab.yml: merge request', () => {
    const file = template('docs/ci/gitlab.yml');
    const steps = [
      ...(at(file, '.agent-blame', 'before_script') as Yaml[]),
      ...(at(file, 'agent-blame', 'script') as Yaml[]),
    ];
    const version = String(at(file, '.agent-blame', 'variables', 'AGENT_BLAME_VERSION'));
    expect(run(steps, { AGENT_BLAME_VERSION: version })).toEqual([...INSTALL, ...PR]);
    expect(at(file, 'agent-blame', 'artifacts', 'paths')).toEqual([PR.at(-1)]);
  });

  it('gitlab.yml: after a merge git can push, and the token is in no file', () => {
    repository.git('remote', 'add', 'origin', 'https://gitlab-ci-token:job@gitlab.example.com/ada/engine.git');
    const script = at(template('docs/ci/gitlab.yml'), 'agent-blame-merged', 'script') as Yaml[];
    const env = { CI_PROJECT_URL: 'https://gitlab.example.com/ada/engine', GITLAB_TOKEN: 'very secret' };
    expect(run(script, env)).toEqual(['git-agent', 'pr']);
    expect(repository.git('remote', 'get-url', 'origin')).toBe('https://gitlab.example.com/ada/engine.git');
    expect(repository.read('.git/config')).not.toContain('very secret');
    const filled = execFileSync('git', ['credential', 'fill'], {
      cwd: repository.dir,
      env: { ...process.env, ...env },
      input: 'protocol=https\nhost=gitlab.example.com\n\n',
    });
    expect(filled.toString()).toContain('username=oauth2\npassword=very secret\n');
  });

  it('forgejo.yml', () => {
    const steps = at(template('docs/ci/forgejo.yml'), 'jobs', 'agent-blame', 'steps') as Yaml[];
    const scripts = steps.slice(1).map((step) => at(step, 'run'));
    const env = { GITHUB_WORKSPACE: repository.dir, GIT_CONFIG_GLOBAL: path.join(repository.dir, 'gitconfig') };
    expect(run(scripts, env)).toEqual([...INSTALL, ...PR]);
    expect(repository.read('gitconfig')).toContain(`directory = ${repository.dir}`);
  });

  it('bitbucket-pipelines.yml', () => {
    const pipelines = at(template('docs/ci/bitbucket-pipelines.yml'), 'pipelines');
    expect(run(at(pipelines, 'pull-requests', '**', 0, 'step', 'script') as Yaml[])).toEqual([...INSTALL, ...PR]);
    fs.rmSync(path.join(repository.dir, 'calls'));
    expect(run(at(pipelines, 'branches', 'main', 0, 'step', 'script') as Yaml[])).toEqual([
      ...INSTALL,
      'git-agent',
      'pr',
    ]);
  });

  it('azure-pipelines.yml', () => {
    const steps = at(template('docs/ci/azure-pipelines.yml'), 'steps') as Yaml[];
    const scripts = steps.filter((step) => typeof step !== 'string' && 'script' in step);
    // $(Name) is put in by Azure before the shell sees it
    const texts = scripts.map((step) =>
      String(at(step, 'script')).replace('$(Build.ArtifactStagingDirectory)', '/a b'),
    );
    expect(run(texts)).toEqual([...INSTALL, ...PR.slice(0, -1), '/a b/agent-report.md']);
    expect(at(scripts[1] ?? '', 'env', 'SYSTEM_ACCESSTOKEN')).toBe('$(System.AccessToken)');
  });
});
