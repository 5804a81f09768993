import { atLeast } from '../git/repository.ts';
import type { Health } from './health.ts';
import { configCommand, HOOKS, type HookName, hasBlock } from './hook-file.ts';
import { configHookName, isChained, notesRefspec } from './plan.ts';
import type { FoundHook } from './survey.ts';

/** One thing looked at: how it is, and how to mend it. */
export interface Check {
  readonly name: string;
  readonly level: 'ok' | 'warn' | 'fail';
  readonly said: string;
  readonly mend: string | null;
}

const INIT = 'run git agent init';

export function checkHealth(health: Health): readonly Check[] {
  const versions = [checkGit(health), checkNode(health)];
  if (health.mode === null) return [...versions, fail('set-up', 'init was not run in this repository', INIT)];
  return [
    ...versions,
    checkStore(health),
    ...HOOKS.map((name) => checkHook(name, health)),
    checkShims(health),
    checkProgram(health),
    ...checkAgents(health),
    ...checkNotes(health),
    ...checkRemotes(health),
    ...checkJournal(health),
    checkLog(health),
    checkLock(health),
    checkSpace(health),
    checkSkipped(health),
  ];
}

function ok(name: string, said: string): Check {
  return { name, level: 'ok', said, mend: null };
}

function warn(name: string, said: string, mend: string): Check {
  return { name, level: 'warn', said, mend };
}

function fail(name: string, said: string, mend: string): Check {
  return { name, level: 'fail', said, mend };
}

function checkGit({ git }: Health): Check {
  return atLeast(git, '2.30') ? ok('git', git) : fail('git', `${git} is too old`, 'install git 2.30 or later');
}

function checkNode({ node }: Health): Check {
  return atLeast(node, '20.19') ? ok('node', node) : fail('node', `${node} is too old`, 'install node 20.19 or later');
}

function checkStore({ agentDir, mode }: Health): Check {
  if (mode === 0o700) return ok('store', agentDir);
  return fail('store', `others may read ${agentDir} (mode ${mode?.toString(8)})`, INIT);
}

function checkHook(name: HookName, health: Health): Check {
  if (health.configHooks) return checkConfigHook(name, health);
  const hook = health.hooks.files.find((file) => file.name === name);
  return hook === undefined ? fail(name, 'no hook file', INIT) : checkHookFile(hook, health.hooks);
}

function checkConfigHook(name: HookName, { local, global }: Health): Check {
  const key = `hook.${configHookName(name)}`;
  const last = (what: string) => (local.get(what) ?? global.get(what))?.at(-1);
  const off = [`${key}.enabled`, `hook.${name}.enabled`].find((what) => /^(false|no|off|0)$/i.test(last(what) ?? ''));
  if (off !== undefined) return fail(name, `switched off by ${off}`, `git config --unset ${off}`);
  const events = [...(local.get(`${key}.event`) ?? []), ...(global.get(`${key}.event`) ?? [])];
  if (last(`${key}.command`) === undefined || !events.includes(name))
    return fail(name, `${key} is not in git's configuration`, INIT);
  if (last(`${key}.command`) !== configCommand(name))
    return warn(name, `${key}.command is not what this version writes`, INIT);
  return ok(name, `${key} in git's configuration`);
}

function checkHookFile(hook: FoundHook, { home, manager, folder }: Health['hooks']): Check {
  const { name, path, file, displaced } = hook;
  if (isChained(hook)) return ok(name, `${path}.legacy, called by pre-commit`);
  if (file.kind !== 'none' && hasBlock(file.text)) {
    return (file.mode & 0o100) === 0 ? fail(name, `${path} is not executable`, `chmod +x ${path}`) : ok(name, path);
  }
  if (home === 'shared' || home === 'tracked') {
    const mend =
      home === 'tracked'
        ? 'git agent init --project writes it for the team, git 2.54 needs no file'
        : 'git 2.54 needs no file';
    return warn(name, `git takes hooks from ${folder}, where ours is not; commits are found when somebody reads`, mend);
  }
  const aside = displaced.some((other) => other.kind !== 'none' && hasBlock(other.text));
  const who = manager
    ? `${manager} wrote ${path} anew`
    : file.kind === 'none'
      ? `${path} is not there`
      : `${path} does not run ours`;
  return fail(name, aside ? `${who} and moved ours aside` : who, INIT);
}

function checkShims({ shims }: Health): Check {
  const gone = shims.filter((shim) => !shim.there).map((shim) => shim.path);
  return gone.length === 0
    ? ok('copies of our hooks', `${shims.length} there`)
    : fail('copies of our hooks', `gone: ${gone.join(', ')}`, INIT);
}

function checkProgram({ program }: Health): Check {
  if (program === null) return fail('program', 'hooks do not know what to start', INIT);
  if (program.there) return ok('program', program.script);
  return fail('program', `${program.node} ${program.script} is gone`, INIT);
}

function checkAgents({ agents, userShim }: Health): Check[] {
  const wanted = agents.filter((agent) => agent.wanted);
  const checks = agents.map((agent): Check => {
    const mend = `${INIT} --agents ${agent.name}`;
    if (agent.disabled !== null && agent.wanted)
      return fail(agent.name, `its hooks do not run: ${agent.disabled}`, 'take that setting out');
    if (agent.state === 'in place' && agent.asks !== null) return warn(agent.name, 'its hooks do not run', agent.asks);
    if (agent.state === 'in place') return ok(agent.name, agent.path);
    if (agent.state === 'invalid') return fail(agent.name, `${agent.path} is not valid`, `mend it, then ${mend}`);
    if (agent.wanted) return fail(agent.name, `our hooks are not in ${agent.path}`, mend);
    return agent.present
      ? warn(agent.name, 'used on this machine, not captured', mend)
      : ok(agent.name, 'not used on this machine');
  });
  if (wanted.length > 0 && !userShim.there)
    checks.push(warn('what agents call', `${userShim.path} is not there`, INIT));
  return checks;
}

function checkNotes({ notes }: Health): Check[] {
  const broken = notes.filter((note) => !note.readable).map((note) => note.ref);
  if (broken.length > 0)
    return [
      fail(
        'notes',
        `cannot be read: ${broken.join(', ')}`,
        'git fsck names the damage; git agent fetch gets them again',
      ),
    ];
  const foreign = notes.filter((note) => note.foreign > 0);
  if (foreign.length > 0) {
    const said = foreign.map(({ ref, foreign: count }) => `${ref} has ${count} that are no JSON Lines`).join(', ');
    return [warn('notes', `${said}; they are kept and passed over`, 'git notes --ref REF list finds them')];
  }
  return [ok('notes', notes.length === 0 ? 'none yet' : notes.map((note) => note.ref).join(', '))];
}

function checkRemotes({ remotes, local, jj, notes }: Health): Check[] {
  return remotes.map((remote): Check => {
    const name = `notes of ${remote}`;
    const values = local.get(`remote.${remote}.fetch`) ?? [];
    const fetched = jj || values.includes(notesRefspec(remote)) || values.some((value) => /^\+?refs\/\*:/.test(value));
    if (!fetched) return fail(name, 'git fetch does not get them', INIT);
    const ours = notes.find((note) => note.ref === 'refs/notes/agent/trace')?.id;
    const theirs = notes.find((note) => note.ref === `refs/notes/${remote}/agent/trace`)?.id;
    if (ours !== undefined && ours !== theirs)
      return warn(name, 'ours are not there as far as is known here', `run git agent sync ${remote}`);
    return ok(name, ours === undefined ? 'nothing to push yet' : 'pushed');
  });
}

function checkJournal({ journal, payloads }: Health): Check[] {
  if (journal === null) return [fail('journal', 'it is not there', INIT)];
  const torn = `${journal.torn} of ${journal.facts + journal.torn} lines cannot be read and are skipped`;
  const lines =
    journal.torn > 0
      ? warn('journal', torn, 'nothing to do: a process was cut off while it wrote')
      : ok('journal', `${journal.facts} facts`);
  const many = 'run any git agent command; if they stay, see the program above';
  return [
    lines,
    payloads > 1000
      ? warn('payloads', `${payloads} wait to be worked in`, many)
      : ok('payloads', `${payloads} waiting`),
  ];
}

function checkLog({ log, agentDir }: Health): Check {
  return log.length === 0
    ? ok('mishaps', 'none')
    : warn('mishaps', log.join(' | '), `see ${agentDir}/hooks.log, then remove it`);
}

function checkLock({ lock, agentDir }: Health): Check {
  if (lock === 'stale')
    return warn('lock', 'left by a process that is gone', `the next writer takes it; or remove ${agentDir}/lock`);
  return ok('lock', lock === 'held' ? 'the work is running' : 'free');
}

function checkSpace({ freeBytes }: Health): Check {
  const megabytes = Math.floor(freeBytes / (1 << 20));
  if (megabytes < 50) return fail('disk', `${megabytes} MB left`, 'make room');
  return megabytes < 500 ? warn('disk', `${megabytes} MB left`, 'make room') : ok('disk', `${megabytes} MB left`);
}

function checkSkipped({ skipped }: Health): Check {
  if (skipped.size === 0) return ok('not understood', 'nothing');
  const said = [...skipped].map(([kind, count]) => `${kind} (${count})`).join(', ');
  return warn('not understood', said, 'the agent is newer than this program: upgrade it');
}

/** Marks are words: they do not rely on colour. */
export function printChecks(checks: readonly Check[]): string {
  return checks
    .map(({ level, name, said, mend }) => `${level.padEnd(4)}  ${name}: ${said}${mend ? `\n      -> ${mend}` : ''}\n`)
    .join('');
}
