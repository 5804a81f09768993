import fs from 'node:fs';
import path from 'node:path';
import { readReflog } from './history.ts';
import type { Repository } from './repository.ts';
import { askGit, runGit } from './run.ts';

/**
 * Puts a broken ref back to the last place that its reflog tells and whose tree is there, and tells that place. Git itself neither
 * moves nor removes such a ref: its file is moved to `aside`.
 */
export async function restoreRef(
  { place, commonDir }: Repository,
  ref: string,
  aside: string,
): Promise<string | undefined> {
  const [file, log] = [path.join(commonDir, ref), path.join(commonDir, 'logs', ref)];
  if (!fs.existsSync(file) || !fs.existsSync(log)) return undefined;
  const told = readReflog(fs.readFileSync(log, 'latin1'));
  const ids = [...new Set(told.map((entry) => entry.new).reverse())];
  const asked = ids.map((id) => `${id}^{tree}\n`).join('');
  const { out } = await askGit(place, ['cat-file', '--batch-check'], asked);
  const answers = out.toString('latin1').split('\n');
  const id = ids.find((_, i) => / tree \d+$/.test(answers[i] ?? ''));
  if (id === undefined) return undefined;
  fs.renameSync(file, aside);
  await runGit(place, ['update-ref', '-m', 'put back', ref, id]);
  return id;
}

/** Git holds the lock of a ref for a moment. */
const LEFT_MS = 60_000;

/** The locks that some git has left behind of these refs, and their ages in milliseconds; `under` are the folders to look in. */
export function findLeftLocks(
  commonDir: string,
  { under, wanted }: { readonly under: readonly string[]; readonly wanted: RegExp },
): { file: string; age: number }[] {
  const there = under.filter((folder) => fs.existsSync(path.join(commonDir, folder)));
  const names = there.flatMap((folder) =>
    fs
      .readdirSync(path.join(commonDir, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(folder, name)),
  );
  return names.flatMap((name) => {
    if (!name.endsWith('.lock') || !wanted.test(name.replaceAll(path.sep, '/'))) return [];
    const file = path.join(commonDir, name);
    const found = fs.statSync(file, { throwIfNoEntry: false });
    const age = found ? Date.now() - found.mtimeMs : 0;
    return age > LEFT_MS ? [{ file, age }] : [];
  });
}
