import { Option } from 'commander';
import { Fault } from '../fault.ts';
import { findRepository } from '../git/repository.ts';
import { verifySeal } from '../seal/verify.ts';
import { plain } from '../terminal/plain.ts';
import { vacMadeAt } from '../vac/made-at.ts';
import type { Call, Command, World } from './command.ts';
import { readSource } from './import-source.ts';
import { isNamedFile, listCommits, listHistory } from './range.ts';
import { signersOf, verifySeals } from './seals.ts';
import { areMany, tellUnread } from './skipped-notes.ts';
import { fileJson, isRefused, jsonOf, rowsOf } from './verify-rows.ts';
import { printFile, printRows } from './verify-text.ts';

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
  const json = options.format === 'json';
  if (what !== undefined && (await isNamedFile(world.cwd, what)))
    return verifyFile(world, what, { payload: options.payload, json });
  if (options.payload !== undefined) throw new Fault('usage', '--payload goes with a file.');
  const commits = what === undefined ? await listHistory(world.cwd, 'HEAD') : await listCommits(world.cwd, what);
  const verified = await verifySeals(world, commits);
  const { problems, skipped, unread } = verified;
  const lacking = skipped > 0 ? [`${areMany(skipped, 'note')} too large, or not in this clone.`] : [];
  await tellUnread(world, unread);
  await tellProblems(world, [...problems, ...lacking]);
  const rows = rowsOf(verified.notes);
  await world.out.write(json ? `${JSON.stringify(jsonOf(rows))}\n` : printRows(rows, verified));
  return rows.some((row) => isRefused(row, options.all === true)) ? 1 : 0;
}

async function tellProblems(world: World, problems: readonly string[]): Promise<void> {
  for (const problem of problems) await world.err.write(`${world.name}: ${plain(problem)}\n`);
}

async function verifyFile(
  world: World,
  file: string,
  { payload, json }: { readonly payload: unknown; readonly json: boolean },
): Promise<number> {
  const { allowed, problems } = await signersOf(world, await findRepository(world.cwd));
  await tellProblems(world, problems);
  const given = typeof payload === 'string' ? { payload: readSource(world, payload).bytes } : {};
  const cose = readSource(world, file).bytes;
  const verdict = verifySeal({ cose, ...given, ...allowed, now: world.now(), madeAt: vacMadeAt });
  await world.out.write(json ? `${JSON.stringify(fileJson(verdict))}\n` : printFile(verdict));
  return verdict.ok ? 0 : 1;
}
