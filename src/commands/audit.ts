import path from 'node:path';
import { Option } from 'commander';
import { parseDocument } from '../agentlog/parse.ts';
import { type Approval, approvalsOf, decisionsIn, declarationOf } from '../audit/approvals.ts';
import { type Audit, auditOf } from '../audit/audit.ts';
import type { Material } from '../audit/material.ts';
import { Fault } from '../fault.ts';
import { type Commit, readCommits } from '../git/commits.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { type Report, reportOf } from '../report/report.ts';
import { linesIn } from '../report/run.ts';
import { isAtLeastAYear, printRetention } from '../setup/retention.ts';
import { plain } from '../terminal/plain.ts';
import { progressOn } from '../terminal/progress.ts';
import { attributionsOf } from '../trace/attribution.ts';
import { type AuditedNotes, readAuditedNotes } from './audit-notes.ts';
import { readAuditedSessions } from './audit-sessions.ts';
import type { Call, Command, World } from './command.ts';
import { readRetention } from './gc.ts';
import { showPage } from './page.ts';
import { pendingView } from './pending-view.ts';
import { listCommits, listHistory } from './range.ts';
import { signersOf } from './seals.ts';
import { areMany, tellUnread } from './skipped-notes.ts';
import { surveyRange } from './survey.ts';
import { excluderOf, readPolicy, tellProblems } from './team-policy.ts';

export const command: Command = {
  name: 'audit',
  summary: 'say what an auditor asks for: records, seals, coverage, retention, approvals, divergence',
  configure(sub) {
    sub
      .argument('[range]', 'a range of commits (A..B), or one; without it all that HEAD reaches, and all sessions')
      .option('--output <folder>', 'write an evidence pack there')
      .addOption(new Option('--format <name>', 'how to print it').choices(['text', 'json']).default('text'));
  },
  run,
};

async function run({ args: [range], options, world }: Call): Promise<number> {
  const folder = typeof options.output === 'string' ? path.resolve(world.cwd, options.output) : undefined;
  if (folder !== undefined) (await import('./audit-pack.ts')).refuseTaken(folder);
  const repository = await findRepository(world.cwd);
  const gathered = await gather(world, repository, range);
  const { audit, material } = gathered;
  if (folder !== undefined) await writeEvidence(world, folder, gathered);
  if (options.format === 'json') await world.out.write(`${JSON.stringify(audit)}\n`);
  else {
    const { printAudit } = await import('../audit/text.ts');
    await showPage(world, (page) => printAudit(audit, material.divergence, page));
  }
  if (folder !== undefined) await world.err.write(`The evidence is in ${plain(folder)}\n`);
  return 0;
}

interface Gathered {
  readonly audit: Audit;
  readonly material: Material;
  readonly notes: AuditedNotes;
}

async function gather(world: World, repository: Repository, range: string | undefined): Promise<Gathered> {
  const ids = range === undefined ? await listHistory(world.cwd, 'HEAD') : await listCommits(world.cwd, range);
  const report = await coverageOf(world, repository, { range: range ?? 'HEAD', commits: ids });
  const pending = await pendingView(repository, world);
  const allowed = await readSigners(world, repository);
  const used = new Set(report.files.flatMap(({ runs }) => runs.flatMap(({ trace }) => trace ?? [])));
  const notes = await readAuditedNotes(repository, pending, { commits: ids, used, allowed, now: world.now() });
  const referred = sessionsIn(notes);
  const question = { referred, onlyReferred: range !== undefined, records: notes.standing };
  const sessions = await readAuditedSessions(repository, pending, question);
  await tellUnread(world, [...new Set([...notes.unread, ...report.unread])]);
  await tellSkipped(world, notes.skipped + report.skipped, sessions.unreadable);
  const [retention, commits] = await Promise.all([readRetention(repository.place), readCommits(repository.place, ids)]);
  const { documents, divergence, edits, since } = sessions;
  const material: Material = {
    ...{ report, records: notes.standing, seals: countSeals(notes), documents, referred, divergence, edits },
    capture: since ? { since: new Date(since.at).toISOString(), agents: since.agents } : null,
    retention: { period: printRetention(retention), isYear: isAtLeastAYear(retention) },
    approvals: allApprovals(report, [...commits.values()], { notes, documents }),
  };
  pending.wake();
  const last = [...commits.values()].reduce((latest, { committer }) => Math.max(latest, committer.time), -1);
  const until = last < 0 ? null : new Date(last * 1000).toISOString();
  return { audit: auditOf(material, { range: range ?? 'HEAD', commits: ids.length, until }), material, notes };
}

/** Without the file that the setting names, nobody is trusted; the rest of the answer does not depend on it. */
async function readSigners(world: World, repository: Repository) {
  const { allowed, problems } = await signersOf(world, repository).catch((cause: unknown) => {
    if (cause instanceof Fault) return { allowed: { signers: [], problems: [] }, problems: [cause.message] };
    throw cause;
  });
  for (const problem of problems) await world.err.write(`${world.name}: ${plain(problem)}\n`);
  return allowed;
}

interface Asked {
  readonly range: string;
  readonly commits: readonly string[];
}

async function coverageOf(world: World, repository: Repository, { range, commits }: Asked): Promise<Report> {
  const team = await readPolicy(repository);
  await tellProblems(world, team);
  const excluder = excluderOf(team.policy, commits.at(-1) ?? 'HEAD');
  return reportOf(
    await surveyRange(world, repository, { range, commits, excluder, onProgress: progressOn(world.err, 'audit') }),
  );
}

async function tellSkipped(world: World, notes: number, sessions: number): Promise<void> {
  if (notes > 0)
    await world.err.write(
      `${world.name}: ${areMany(notes, 'note or commit', 'notes or commits')} too large or not in this clone.\n`,
    );
  if (sessions > 0) await world.err.write(`${world.name}: ${sessions} files of sessions cannot be read.\n`);
}

/** Whoever a record names as the writer of lines; a link without lines refers to its session too. */
function sessionsIn({ standing, links }: AuditedNotes): string[] {
  const named = standing.flatMap((record) => attributionsOf(record).map(({ origin }) => origin.agent?.session ?? ''));
  const linked = links.flatMap((line) => {
    const parsed = parseDocument(line);
    return parsed.kind === 'document' ? [parsed.document.id] : [];
  });
  return [...new Set([...named, ...linked])].filter(Boolean).sort();
}

function countSeals({ seals }: AuditedNotes): Material['seals'] {
  const counts = { sealed: 0, refused: 0, altered: 0, gone: 0, elsewhere: 0, overruled: 0, unsealed: 0 };
  for (const { state, stands } of seals) if (stands) counts[state]++;
  return counts;
}

function allApprovals(
  report: Report,
  commits: readonly Commit[],
  { notes, documents }: Pick<Gathered, 'notes'> & Pick<Material, 'documents'>,
): Approval[] {
  const lines = new Map<string, number>();
  for (const run of report.files.flatMap((file) => file.runs))
    if (run.origin.agent) lines.set(run.commit, (lines.get(run.commit) ?? 0) + linesIn(run));
  return [
    ...documents.flatMap(decisionsIn),
    ...notes.standing.flatMap((record) => declarationOf(record) ?? []),
    ...commits.flatMap(({ id, committer, message }) =>
      approvalsOf({
        id,
        message,
        committer: `${committer.name} <${committer.mail}>`,
        time: new Date(committer.time * 1000).toISOString(),
        agentLines: lines.get(id) ?? 0,
      }),
    ),
  ];
}

async function writeEvidence(world: World, folder: string, { audit, material, notes }: Gathered): Promise<void> {
  const [{ sessionFiles, writePack }, { printReadme }, { reportJson }, { sealLine }] = await Promise.all([
    import('./audit-pack.ts'),
    import('../audit/readme.ts'),
    import('../report/json.ts'),
    import('./audit-notes.ts'),
  ]);
  const wanted = new Set(material.referred);
  const lines = (some: readonly string[]) => some.map((line) => `${line}\n`);
  writePack(folder, [
    { name: 'README.md', pieces: [printReadme(audit, world.version)] },
    { name: 'audit.json', pieces: [`${JSON.stringify(audit, null, 2)}\n`] },
    { name: 'records.jsonl', pieces: lines(notes.records.map(({ line }) => line)) },
    { name: 'links.jsonl', pieces: lines(notes.links) },
    { name: 'seals.jsonl', pieces: lines(notes.seals.map(sealLine)) },
    { name: 'report.json', pieces: reportJson(material.report) },
    { name: 'approvals.jsonl', pieces: lines(material.approvals.map((one) => JSON.stringify(one))) },
    { name: 'divergence.json', pieces: [`${JSON.stringify(divergenceJson(material), null, 2)}\n`] },
    ...(await sessionFiles(material.documents.filter(({ id }) => wanted.has(id)))),
  ]);
}

function divergenceJson({ divergence }: Material) {
  return { schema: 'git-agent-blame/divergence@1', facts: divergence };
}
