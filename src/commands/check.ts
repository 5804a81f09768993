import fs from 'node:fs';
import path from 'node:path';
import { Option } from 'commander';
import { POLICY_FILE } from '../check/policy.ts';
import { judgeBroken, type Verdict } from '../check/verdict.ts';
import { Fault } from '../fault.ts';
import { listPushed, parsePrePush, parsePreReceive, type RefMove } from '../git/pushed.ts';
import type { Repository } from '../git/repository.ts';
import { askGit } from '../git/run.ts';
import { SEAL_REF, TRACE_REF } from '../notes/refs.ts';
import type { Survey } from '../report/run.ts';
import { paintWith, wantsColour } from '../terminal/colour.ts';
import { progressOn } from '../terminal/progress.ts';
import { type BegunCheck, beginCheck, beginTold, NOT_PUSHED } from './check-begin.ts';
import type { Call, Command, World } from './command.ts';
import { judgeSurvey } from './judged.ts';
import { type Hook, policySource } from './policy-source.ts';
import { refuseNoNotes, takenNotes } from './pushed-notes.ts';
import { readSettings } from './settings.ts';
import { surveyRange, tellShallow } from './survey.ts';
import { excluderOf, readPolicy, type TeamPolicy, tellProblems } from './team-policy.ts';

const FORMATS = ['text', 'json', 'sarif'] as const;

const VERB: Omit<Command, 'run'> = {
  name: 'check',
  summary: 'hold commits against the team\u2019s policy',
  configure(sub) {
    sub
      .argument('[range]', 'a range of commits (A..B), or one; without it those that no remote has')
      .option('--pre-push [remote]', 'what a push brings, as git tells it to a pre-push hook on standard input')
      .option('--pre-receive', 'the same for a pre-receive hook, with the policy of HEAD')
      .option('--policy-from <revision>', 'take the policy from a commit, not from the work tree')
      .addOption(new Option('--format <name>', 'how to print it').choices(FORMATS).default('text'))
      .option('--schema', 'print the JSON Schema of a policy');
  },
};

export const command: Command = checkBegun();

/** The same where git was set to work before this was loaded. */
export function checkBegun(early?: BegunCheck): Command {
  return { ...VERB, run: (call) => run(call, early) };
}

async function run({ args: [range], options, world }: Call, early?: BegunCheck): Promise<number> {
  if (options.schema === true) {
    const { POLICY_SCHEMA } = await import('../check/policy-schema.ts');
    await world.out.write(`${JSON.stringify(POLICY_SCHEMA, null, 2)}\n`);
    return 0;
  }
  const hook = hookOf(options, range);
  const { finding, listing } = early ?? (hook ? beginTold(world.cwd) : beginCheck(world.cwd, range));
  const repository = await finding;
  const asked = hook
    ? await listTold(repository, hook, options.prePush)
    : { range: range ?? NOT_PUSHED.join(' '), commits: (await listing) ?? [], ...NO_PUSH };
  const from = await policySource(world, repository, { hook, from: options.policyFrom, ...asked });
  const team = await readPolicy(repository, from);
  const { commits, taken } = asked;
  if (commits.length + taken.length === 0 && hook && isNothing(team, from, options.format)) return 0;
  if (await tellProblems(world, team)) {
    await world.err.write(`${world.name}: nothing passes until ${POLICY_FILE} is mended.\n`);
    const scope = { kind: 'added', range: asked.range, commits: commits.length } as const;
    const broken = judgeBroken(scope, team.problems, from);
    if (options.format !== 'text') await print(world, broken, { format: options.format, commits: new Map() });
    return 1;
  }
  if (!team.found && options.format === 'text') {
    if (!hook) await world.err.write(`${world.name}: there is no ${POLICY_FILE}: nothing is asked for.\n`);
    return 0;
  }
  if (!hook) await tellShallow(world, repository);
  const survey = await surveyAsked(world, repository, { ...asked, hook, from, team });
  const verdict = await judgeSurvey(world, survey, { policy: team.policy, ...asked });
  await print(world, verdict, { format: options.format, commits: survey.commits, ...(hook && { hook }) });
  return verdict.blocked ? 1 : 0;
}

/** A push without commits brings nothing to judge, but it may make a policy of what is none: of a commit that came with another branch. */
function isNothing({ problems }: TeamPolicy, from: string | undefined, format: unknown): boolean {
  return problems.length > 0 ? from === undefined || from === 'HEAD' : format === 'text';
}

function hookOf({ prePush, preReceive }: Call['options'], range: string | undefined): Hook | undefined {
  const hook = prePush ? 'pre-push' : preReceive ? 'pre-receive' : undefined;
  if (prePush && preReceive) throw new Fault('usage', '--pre-push and --pre-receive are two different hooks.');
  if (hook && range !== undefined) throw new Fault('usage', `With --${hook} git says what is checked: name no range.`);
  return hook;
}

interface Asked {
  readonly moves: readonly RefMove[];
  readonly range: string;
  readonly commits: readonly string[];
  /** Notes that come with the same push: of records, and of seals. */
  readonly notes: readonly string[];
  readonly seals: readonly string[];
  /** Refs of notes that the push takes away. */
  readonly taken: readonly string[];
}

/** As git tells it to the hook. */
async function listTold(repository: Repository, hook: Hook, remote: unknown): Promise<Asked> {
  const input = fs.readFileSync(0, 'utf8');
  const all = hook === 'pre-push' ? parsePrePush(input) : parsePreReceive(input);
  if (hook === 'pre-receive') await refuseNoNotes(repository, all);
  const moves = all.filter(({ ref }) => !isOurs(ref));
  const known = hook === 'pre-push' ? await knownTo(repository, remote) : JUDGED;
  const pushed = (wanted: string) =>
    hook === 'pre-receive' ? all.flatMap(({ ref, to }) => (ref === wanted && to ? [to] : [])) : [];
  return {
    moves,
    range: hook,
    commits: await listPushed(repository.place, { moves, known }),
    notes: pushed(TRACE_REF),
    seals: pushed(SEAL_REF),
    taken: hook === 'pre-receive' ? await takenNotes(repository, all) : [],
  };
}

const NO_PUSH = { notes: [], seals: [], taken: [], moves: [] };

/** What is here because it was let in as code: commits that lie under other refs were judged by nobody. */
const JUDGED = ['--exclude=refs/notes/*', '--exclude=refs/agent/*', '--exclude=refs/replace/*', '--all'];

/** Notes, and sessions that are shared, are not code. */
function isOurs(ref: string): boolean {
  return ref.startsWith('refs/notes/') || ref.startsWith('refs/agent/');
}

/** What the remote has, as far as was last seen; of an address that is no remote's, or a remote of which nothing was seen yet, what any remote has. */
async function knownTo({ place }: Repository, remote: unknown): Promise<string[]> {
  const { out } = await askGit(place, ['config', '-z', '--get-regexp', '^remote\\..*\\.']);
  const names = new Set<string>();
  for (const setting of out.toString('utf8').split('\0')) {
    const [, name, key, value = ''] = /^remote\.(.*)\.([^.\n]*)(?:\n(.*))?$/s.exec(setting) ?? [];
    const isAddress = (key === 'url' || key === 'pushurl') && isSamePlace(place.cwd, value, remote);
    if (name !== undefined && (name === remote || isAddress)) names.add(name);
  }
  const known = [...names].map((name) => `--remotes=${name}`);
  const seen = known.length > 0 && (await askGit(place, ['rev-parse', ...known])).out.length > 0;
  return seen ? known : ['--remotes'];
}

/** Addresses as they were written, or folders that are one. */
function isSamePlace(cwd: string, address: string, remote: unknown): boolean {
  if (typeof remote !== 'string' || address === '') return false;
  const isFolder = (one: string) => !/^[\w.+-]*:|^[\w.-]+@/.test(one);
  return (
    address === remote ||
    (isFolder(address) && isFolder(remote) && path.resolve(cwd, address) === path.resolve(cwd, remote))
  );
}

interface Judging {
  readonly hook: Hook | undefined;
  /** Whose policy it is. */
  readonly from: string | undefined;
  readonly team: TeamPolicy;
}

/** What is generated is said by attributes from where the policy comes from: a push cannot exempt itself. */
function surveyAsked(
  world: World,
  repository: Repository,
  { range, commits, notes, hook, from, team }: Asked & Judging,
): Promise<Survey> {
  const excluder = excluderOf(team.policy, from ?? commits.at(-1) ?? 'HEAD');
  return surveyRange(world, repository, {
    range,
    commits,
    notes,
    afresh: hook === 'pre-receive',
    excluder,
    onProgress: progressOn(world.err, 'check'),
  });
}

interface Printing {
  readonly format: unknown;
  readonly commits: Survey['commits'];
  /** Only what is wrong is told to somebody who pushes. */
  readonly hook?: Hook;
}

async function print(world: World, verdict: Verdict, { format, commits, hook }: Printing): Promise<void> {
  if (format === 'json') {
    await world.out.write((await import('../check/json.ts')).printVerdictJson(verdict));
  } else if (format === 'sarif') {
    const { printVerdictSarif } = await import('../check/sarif.ts');
    await world.out.write(printVerdictSarif(verdict, { version: world.version }));
  } else if (!hook || verdict.findings.length > 0) {
    const { printVerdict } = await import('../check/text.ts');
    const configured = (await readSettings(world.cwd, '^color\\.ui$')).get('color.ui');
    const paint = paintWith(wantsColour({ asked: undefined, configured, isTTY: world.out.isTTY, env: world.env }));
    await world.out.write(printVerdict(verdict, { paint, commits, ...(hook && { hook }) }));
  }
}
