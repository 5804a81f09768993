import fs from 'node:fs';
import path from 'node:path';
import { Option } from 'commander';
import { Fault } from '../fault.ts';
import { findRepository } from '../git/repository.ts';
import type { SealedRecord } from '../seal/note.ts';
import { type SealVerdict, verifySeal } from '../seal/verify.ts';
import { plain } from '../terminal/plain.ts';
import type { Call, Command, World } from './command.ts';
import { listCommits, listHistory } from './range.ts';
import { signersOf, type Verified, verifySeals } from './seals.ts';

export const command: Command = {
  name: 'verify',
  summary: 'say what the seals of records prove',
  configure(sub) {
    sub
      .argument('[range or file]', 'a range of commits (A..B), or one (all that HEAD reaches), or a sealed file')
      .option('--payload <file>', 'the sealed bytes, where the file is a detached seal')
      .option('--all', 'say no also where a record is not sealed')
      .addOption(new Option('--format <name>', 'how to print it').choices(['text', 'json']).default('text'));
  },
  run,
};

async function run({ args: [what], options, world }: Call): Promise<number> {
  const file = what === undefined ? undefined : findFile(path.resolve(world.cwd, what));
  const json = options.format === 'json';
  if (file !== undefined) return verifyFile(world, file, { payload: options.payload, json });
  if (options.payload !== undefined) throw new Fault('usage', '--payload goes with a file.');
  const commits = what === undefined ? await listHistory(world.cwd, 'HEAD') : await listCommits(world.cwd, what);
  const verified = await verifySeals(world, commits);
  for (const problem of verified.problems) await world.err.write(`${world.name}: ${plain(problem)}\n`);
  const rows = rowsOf(verified);
  await world.out.write(json ? `${JSON.stringify(jsonOf(rows))}\n` : printRows(rows, verified));
  const no = rows.some(
    ({ state }) => state === 'refused' || state === 'altered' || (options.all === true && state !== 'sealed'),
  );
  return no ? 1 : 0;
}

/** A name that is both a branch and a file is taken for the file. */
function findFile(file: string): string | undefined {
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}

interface Row {
  readonly commit: string;
  readonly record: string;
  readonly state: SealedRecord['state'];
  readonly verdict?: SealVerdict;
}

function rowsOf({ notes }: Verified): Row[] {
  return [...notes].flatMap(([commit, { records }]) =>
    records.map(({ record, state, verdicts: [verdict] }) => ({
      commit,
      record: record.id,
      state,
      ...(verdict && { verdict }),
    })),
  );
}

const WORDS: Readonly<Record<Row['state'], string>> = {
  sealed: 'sealed',
  refused: 'REFUSED',
  altered: 'ALTERED',
  unsealed: 'not sealed',
};

function printRows(rows: readonly Row[], { trusted }: Verified): string {
  const lines = rows
    .filter(({ state }) => state !== 'unsealed')
    .map(({ commit, record, state, verdict }) =>
      plain(`${commit.slice(0, 10)} ${record} ${WORDS[state]}${whyOf(state, verdict)}`),
    );
  const count = (state: Row['state']) => rows.filter((row) => row.state === state).length;
  const parts = (['sealed', 'refused', 'altered', 'unsealed'] as const).map(
    (state) => `${count(state)} ${WORDS[state].toLowerCase()}`,
  );
  const hint = trusted ? [] : ['Nobody is trusted yet: set gpg.ssh.allowedSignersFile to a file of allowed signers.'];
  return `${[...lines, `${rows.length} ${rows.length === 1 ? 'record' : 'records'}: ${parts.join(', ')}.`, ...hint].join('\n')}\n`;
}

function whyOf(state: Row['state'], verdict: SealVerdict | undefined): string {
  if (state === 'altered') return ': a seal names it, and these are not the bytes that were sealed';
  if (!verdict) return '';
  if (verdict.ok && verdict.proven) return ` by ${verdict.proven.principal}${dateOf(verdict.proven.at)}`;
  return `: ${verdict.reasons.map(({ message }) => message).join(' ')}`;
}

function dateOf(at: number | undefined): string {
  return at === undefined ? '' : ` at ${new Date(at).toISOString()}`;
}

function jsonOf(rows: readonly Row[]) {
  const records = rows.map(({ commit, record, state, verdict }) => ({
    commit,
    record,
    state,
    principal: verdict?.ok ? (verdict.proven?.principal ?? null) : null,
    signer: verdict?.proven?.signer ?? null,
    at: verdict?.proven?.at === undefined ? null : new Date(verdict.proven.at).toISOString(),
    reasons: verdict?.reasons ?? [],
  }));
  return { schema: 'git-agent-blame/verify@1', records };
}

const MAX_FILE = 256 << 20;

async function verifyFile(
  world: World,
  file: string,
  { payload, json }: { readonly payload: unknown; readonly json: boolean },
): Promise<number> {
  const read = (name: string) => {
    if (fs.statSync(name).size > MAX_FILE) throw new Fault('usage', `${name} is too large to be verified.`);
    return fs.readFileSync(name);
  };
  const { signers } = await signersOf(world, await findRepository(world.cwd));
  const given = typeof payload === 'string' ? { payload: read(path.resolve(world.cwd, payload)) } : {};
  const verdict = verifySeal({ cose: read(file), ...given, signers, now: world.now() });
  const { ok, reasons, proven } = verdict;
  const said =
    ok && proven
      ? `sealed by ${proven.principal}${dateOf(proven.at)}`
      : reasons.map(({ message }) => message).join(' ');
  await world.out.write(
    json
      ? `${JSON.stringify({ schema: 'git-agent-blame/verify@1', ok, reasons, proven: proven ?? null })}\n`
      : `${plain(said)}\n`,
  );
  return ok ? 0 : 1;
}
