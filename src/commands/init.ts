import fs from 'node:fs';
import path from 'node:path';
import { AGENTS } from '../capture/index.ts';
import { POLICY_FILE } from '../check/policy.ts';
import { POLICY_SCHEMA } from '../check/policy-schema.ts';
import { Fault } from '../fault.ts';
import { readTips } from '../git/history.ts';
import { atLeast, findRepository, gitVersion, type Repository } from '../git/repository.ts';
import { snapshot } from '../git/snapshot.ts';
import { listWorktrees } from '../git/worktrees.ts';
import { findSince, storeOf } from '../sessions/store.ts';
import { parseAgents } from '../setup/agents.ts';
import { carryOut } from '../setup/carry-out.ts';
import { type Plan, printChanges } from '../setup/change.ts';
import { nextStep, type Outcome } from '../setup/next.ts';
import { planInit, type Wishes } from '../setup/plan.ts';
import { wantedAgents } from '../setup/plan-agents.ts';
import { type Found, survey } from '../setup/survey.ts';
import { plainText } from '../terminal/plain.ts';
import type { Call, Command, World } from './command.ts';

export const command: Command = {
  name: 'init',
  summary: 'set up capture in this repository: git hooks, notes of remotes, agents',
  configure(command) {
    command
      .option(
        '--agents <list>',
        'names with commas between them, or all, or none; without it those found on this machine',
      )
      .option('--global', 'git hooks for all repositories; they do nothing where init was not run')
      .option('--project', 'write what the team commits: .claude/settings.json, hook files in the work tree')
      .option(
        '--trust-hooks',
        'approve our hooks in the settings of agents that ask for it (Codex), without being asked there',
      )
      .option('--policy', 'also write a policy for the team to begin with, .agent-policy.json')
      .option('-n, --dry-run', 'only say what would be changed')
      .addHelpText('after', `\nAgents: ${AGENTS.map(({ name }) => name).join(' ')}`);
  },
  run,
};

/** The oldest git that has everything we ask of it. */
const GIT_SINCE = '2.30';

async function run({ options, world }: Call): Promise<number> {
  const agents = parseAgents(typeof options.agents === 'string' ? options.agents : undefined);
  const wishes: Wishes = {
    agents,
    global: options.global === true,
    project: options.project === true,
    trust: options.trustHooks === true,
    now: world.now(),
    program: world.program,
  };
  const repository = await findRepository(world.cwd, world.env);
  await checkSurroundings(repository, wishes);
  const found = await survey(repository, world, wishes.project);
  const dry = options.dryRun === true;
  const begun = (findSince(storeOf(repository))?.agents ?? []).length > 0;
  const start = dry || begun ? undefined : await startOf(repository);
  const plan = planInit(found, start === undefined ? wishes : { ...wishes, start });
  if (!dry) await carryOut(plan, found.places, repository.place);
  const older = start !== undefined && start.heads.length > 0;
  const outcome = { agents: wantedAgents(found, wishes), named: agents !== undefined, dry, older };
  const policy = options.policy === true ? writePolicy(repository, dry) : undefined;
  await tell(world, { found, plan, outcome, ...(policy !== undefined && { policy }) });
  return plan.refusals.length > 0 ? 1 : 0;
}

/** What stands there as capture begins: only what comes later can be a person's or an agent's for certain. */
async function startOf(repository: Repository) {
  const { place } = repository;
  const standing = listWorktrees(place).then((worktrees) => readTips(place, worktrees));
  const [tree, tips] = await Promise.all([snapshot(repository), standing]);
  const heads = [...new Set(tips.values())];
  const { worktree: top, worktreeName: worktree } = repository;
  return { ...(tree !== undefined && { tree }), worktree, heads, ...(top !== null && worktree === '' && { top }) };
}

async function checkSurroundings(repository: Repository, { project }: Wishes): Promise<void> {
  const version = await gitVersion(repository.place);
  if (!atLeast(version, GIT_SINCE)) {
    throw new Fault('surroundings', `This is git ${version}: git ${GIT_SINCE} or later is needed.`);
  }
  if (/[\r\n]/.test(repository.commonDir)) {
    throw new Fault(
      'surroundings',
      'The path of this repository has a line end in it: hooks written in sh cannot name it.',
    );
  }
  const { worktree, commonDir } = repository;
  if (worktree !== null && !['.git', '.jj'].some((name) => fs.existsSync(path.join(worktree, name)))) {
    const way = `git config core.bare false && echo "gitdir: ${commonDir}" > "${worktree}/.git"`;
    throw new Fault('surroundings', `No .git in ${worktree} leads here, so agents' hooks would find nothing: ${way}`);
  }
  if (project && worktree === null) {
    throw new Fault('usage', '--project needs a work tree, and this repository has none here.');
  }
}

/** What harms nobody: a word where a commit has no record. The team makes it stricter when it wants to. */
const FIRST_POLICY = `${JSON.stringify({ $schema: POLICY_SCHEMA.$id, requireAttribution: 'warn', exclude: [] }, null, 2)}\n`;

/** What was done about the policy; one that is there is the team's. */
function writePolicy({ worktree }: Repository, dry: boolean): string {
  if (worktree === null) throw new Fault('usage', '--policy needs a work tree, and this repository has none here.');
  const file = path.join(worktree, POLICY_FILE);
  if (fs.existsSync(file)) return `${POLICY_FILE} is there already: it stays as it is.`;
  if (!dry) fs.writeFileSync(file, FIRST_POLICY, { flag: 'wx' });
  return `${dry ? 'Would write' : 'Wrote'} ${POLICY_FILE}: commit it, and git agent check says what it asks for.`;
}

interface Telling {
  readonly policy?: string;
  readonly found: Found;
  readonly plan: Plan;
  readonly outcome: Omit<Outcome, 'changed'>;
}

async function tell(world: World, { found, plan, outcome, policy }: Telling): Promise<void> {
  const changes = printChanges(plan.changes);
  const manager = found.hooks.manager ? ` (${found.hooks.manager})` : '';
  const present = found.agents.filter((agent) => agent.present).map(({ setup }) => setup.name);
  const unseen = outcome.agents.filter((name) => !present.includes(name));
  const agents = [
    present.length > 0 ? `agents found: ${present.join(', ')}` : 'no agent found on this machine',
    ...(unseen.length > 0 ? [`set up as asked: ${unseen.join(', ')}`] : []),
  ].join('; ');
  const lines = [`git ${found.gitVersion}; hooks in ${found.hooks.folder}${manager}; ${agents}.`];
  if (changes.length === 0) lines.push('Nothing to change: everything is in place.');
  else lines.push(outcome.dry ? 'Would change:' : 'Changed:', ...changes.map((line) => `  ${line}`));
  lines.push(
    ...(policy === undefined ? [] : [policy]),
    ...plan.remarks,
    nextStep({ ...outcome, changed: changes.length > 0 }),
  );
  await world.out.write(`${plainText(lines.join('\n'))}\n`);
  for (const refusal of plan.refusals) await world.err.write(`${world.name}: ${plainText(refusal)}\n`);
}
