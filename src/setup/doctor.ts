import { atLeast } from '../git/repository.ts';
import type { Health } from './health.ts';
import { checkHooks } from './hooks-health.ts';
import { checkLeftPayloads } from './left-payloads.ts';
import { unfetched } from './notes-refspec.ts';
import { checkOddFiles } from './odd-files.ts';
import { type Check, FIX, fail, INIT, ok, warn } from './verdict.ts';

export function checkHealth(health: Health): readonly Check[] {
  const versions = [checkGit(health), checkNode(health)];
  if (health.mode === null)
    return [...versions, fail('set-up', 'init was not run in this repository', INIT), ...checkNotes(health)];
  return [
    ...versions,
    checkStore(health),
    ...checkMemory(health),
    ...checkOddFiles(health.inTheWay, health.linked),
    ...checkHooks(health),
    checkShims(health),
    checkProgram(health),
    ...checkAgents(health),
    ...checkNotes(health),
    ...checkRefLocks(health),
    ...checkRemotes(health),
    ...checkJournal(health),
    ...checkLeftPayloads(health.leftPayloads),
    checkLog(health),
    checkLock(health),
    checkSpace(health),
    checkSkipped(health),
  ];
}

function checkGit({ git }: Health): Check {
  return atLeast(git, '2.30') ? ok('git', git) : fail('git', `${git} is too old`, 'install git 2.30 or later');
}

function checkNode({ node }: Health): Check {
  return atLeast(node, '20.19') ? ok('node', node) : fail('node', `${node} is too old`, 'install node 20.19 or later');
}

function checkStore({ agentDir, mode }: Health): Check {
  if (mode === 0o700) return ok('store', agentDir);
  if (mode === null || (mode & 0o077) !== 0)
    return fail('store', `others may read ${agentDir} (mode ${mode?.toString(8)})`, INIT);
  return fail('store', `nothing can be written into ${agentDir} (mode ${mode.toString(8)})`, `chmod 700 ${agentDir}`);
}

function checkMemory({ damage }: Health): Check[] {
  return damage === null ? [] : [fail('memory', damage.said, damage.mend)];
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

function checkNotes({ notes, mode }: Health): Check[] {
  const broken = notes.filter((note) => !note.readable && !note.odd);
  if (broken.length > 0) {
    // a ref that git still takes for one is not ours to move
    const junk = mode !== null && broken.some((note) => note.id === '');
    const fix = junk ? `${FIX} puts back what git's reflog tells; ` : '';
    const others = 'git fsck names the damage, git agent fetch gets them again';
    return [fail('notes', `cannot be read: ${broken.map((note) => note.ref).join(', ')}`, fix + others)];
  }
  const odd = notes.filter((note) => note.odd).map((note) => note.ref);
  if (odd.length > 0)
    return [fail('notes', `no history of notes: ${odd.join(', ')}`, 'git agent sync says what takes it away')];
  const foreign = notes.filter((note) => note.foreign.length > 0);
  if (foreign.length > 0) {
    const said = foreign.map(({ ref, foreign: commits }) => {
      const [named, more] = [commits.slice(0, 3).map((id) => id.slice(0, 10)), commits.length - 3];
      const which = `of ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
      return `${ref} has ${commits.length} with lines that are no JSON objects: ${which}`;
    });
    const mend = 'git notes --ref REF show COMMIT shows one, edit takes such lines out';
    return [warn('notes', `${said.join('; ')}; these lines are kept and passed over`, mend)];
  }
  return [ok('notes', notes.length === 0 ? 'none yet' : notes.map((note) => note.ref).join(', '))];
}

function checkRefLocks({ refLocks }: Health): Check[] {
  return refLocks.map(({ file }) =>
    warn(
      'lock of a ref',
      `${file} was left by a git that is gone`,
      `remove it while no git runs; or ${FIX}, ten minutes later`,
    ),
  );
}

function checkRemotes({ remotes, notes, ...listening }: Health): Check[] {
  const unheard = unfetched(listening);
  return remotes.map((remote): Check => {
    const name = `notes of ${remote}`;
    if (unheard.includes(remote)) return fail(name, 'git fetch does not get them', INIT);
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
      ? warn(
          'journal',
          torn,
          `a process was cut off while it wrote, and nothing is to be done; ${FIX} says no more of it`,
        )
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
    : warn('mishaps', log.join(' | '), `see ${agentDir}/hooks.log; ${FIX} puts it aside`);
}

function checkLock({ lock }: Health): Check {
  if (lock === 'stale') return warn('lock', 'left by a process that is gone', `the next writer takes it; or ${FIX}`);
  if (lock === 'blocked') return fail('lock', 'no writer can take it', FIX);
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
  const torn = skipped.size === 1 && skipped.has('broken line');
  const mend = torn
    ? 'nothing to do: a transcript has lines that were cut off, and the rest of it was read'
    : 'the agent may be newer than this program: upgrade it';
  return warn('not understood', said, mend);
}

/** Marks are words: they do not rely on colour. */
export function printChecks(checks: readonly Check[]): string {
  return checks
    .map(({ level, name, said, mend }) => `${level.padEnd(4)}  ${name}: ${said}${mend ? `\n      -> ${mend}` : ''}\n`)
    .join('');
}
