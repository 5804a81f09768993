import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Check } from '../../src/setup/verdict.ts';
import type { Scene, Strike } from './scene.ts';

/** What was wrong after a round, in words; nothing is as it should be. */
export type Complaints = readonly string[];

/** Few: each is looked at again in later rounds, with all that was written before. */
const FILES = ['a.txt', 'b.txt', 'c.txt'];

/** A person and agents work, something breaks, they go on; then everything is looked at. */
export async function playRound(scene: Scene, strike: Strike, n: number): Promise<Complaints> {
  const said: string[] = [];
  const { shop, pen } = scene;
  const first = pen.pick(FILES);
  // what goes on in the same file has to fit what was known of it before
  const second = pen.pick([first, ...FILES]);
  scene.add(first, 'me');
  scene.add(first, 's1');
  shop.commit(`round ${n}`);
  if (pen.below(2) === 0) await shop.work();
  scene.add(first, 's2');
  if (pen.below(2) === 0) shop.commit(`more of round ${n}`);
  const before = readNotes(scene);
  const sessions = readEvents(scene);
  const struck = await strike(scene);
  try {
    scene.add(second, 's3');
    scene.add(second, 'me');
    shop.commit(`after round ${n}`);
    const named = await doctor(scene);
    if (struck.named && !struck.named.some((name) => named.has(name)))
      said.push(`doctor does not name ${struck.named.join(' or ')}`);
  } finally {
    await struck.lift?.();
  }
  said.push(...(await lookAround(scene, [...new Set([first, second])])));
  const after = readNotes(scene);
  for (const line of before)
    if (!after.has(line) && !scene.broken.has(line)) said.push(`a record is lost: ${line.slice(0, 90)}`);
  const kept = readEvents(scene);
  for (const event of sessions)
    if (!kept.has(event) && !scene.passing.has(event)) said.push(`an event is lost: ${event}`);
  return said;
}

/** The next run, and whether all is well after it. */
async function lookAround(scene: Scene, files: readonly string[]): Promise<string[]> {
  const { shop } = scene;
  const said: string[] = [];
  const pending = await judge(scene, files, 'before the work');
  const fixed = await shop.agent('doctor', '--fix', '--json');
  scene.still();
  const left = JSON.parse(fixed.stdout || '{"checks":[]}').checks as Check[];
  if (fixed.stdout === '') said.push(`doctor --fix ended with ${fixed.status}: ${fixed.stderr}`);
  for (const { level, name, said: words } of left) if (level === 'fail') said.push(`not mended: ${name}: ${words}`);
  const worked = await shop.agent('work');
  if (worked.status !== 0) said.push(`the next work ended with ${worked.status}: ${worked.stderr}`);
  said.push(...pending, ...(await judge(scene, files, 'after the work')));
  if (shop.git('status', '--porcelain') !== '') shop.commit('the rest');
  said.push(...(await leftPayloads(scene)));
  if (fs.existsSync(scene.at('lock'))) said.push('the lock is left');
  return said;
}

/** One whose fact was lost waits a moment for it, and is then worked in without. */
async function leftPayloads(scene: Scene): Promise<string[]> {
  const list = () => fs.readdirSync(scene.at('payloads')).filter((name) => !name.startsWith('.'));
  if (list().length === 0) return [];
  const before = Date.now() / 1000 - 10;
  for (const name of list()) fs.utimesSync(scene.at('payloads', name), before, before);
  await scene.shop.agent('work');
  return list().length === 0 ? [] : [`payloads are left: ${list().join(' ')}`];
}

/** What all rounds in a repository have left: every line, and every object. */
export async function lookAtAll(scene: Scene): Promise<Complaints> {
  const said = await judge(scene, [...scene.truth.keys()], 'at the end');
  return scene.shop.git('fsck', '--no-dangling') === '' ? said : [...said, 'git fsck: objects are broken'];
}

/** Right, or unknown with a reason; never another's. */
async function judge(scene: Scene, files: readonly string[], when: string): Promise<string[]> {
  const said: string[] = [];
  const here = files.filter((file) => fs.existsSync(path.join(scene.shop.dir, file)));
  const answers = await scene.shop.jsonOf(here);
  for (const [n, file] of here.entries()) {
    const lines = answers[n]?.lines ?? [];
    for (const [i, by] of (scene.truth.get(file) ?? []).entries()) {
      const { type, session, reason } = lines[i] ?? { type: 'missing', session: null, reason: null };
      const told = type === 'ai' ? session : type === 'human' ? 'me' : type;
      if (told === by || (told === 'unknown' && reason !== null)) continue;
      said.push(`${when}: ${file}:${i + 1} is by ${by}, told: ${told} (${reason})`);
    }
  }
  return said;
}

/** The names of all checks that are not ok. */
async function doctor({ shop }: Scene): Promise<ReadonlySet<string>> {
  const { stdout, stderr } = await shop.agent('doctor', '--json');
  if (stdout === '') throw new Error(`doctor: ${stderr}`);
  const { checks } = JSON.parse(stdout) as { checks: readonly Check[] };
  return new Set(checks.filter(({ level }) => level !== 'ok').map(({ name }) => name));
}

/** Every line of every note, also of commits that are gone. */
function readNotes({ shop }: Scene): ReadonlySet<string> {
  const archive = ['archive', '--format=tar', 'refs/notes/agent/trace'];
  const { status, stdout } = spawnSync('git', archive, { cwd: shop.dir, maxBuffer: 1 << 28 });
  if (status !== 0 && shop.git('for-each-ref', 'refs/notes/agent/trace') !== '')
    throw new Error('no notes can be read');
  // between two files there are a header and zeros
  const lines = stdout.toString('utf8').split(/[\n\0]+/);
  return new Set(lines.filter((line) => line.startsWith('{')));
}

/** Every event of every stored session that can be read, and of those that were put aside: they are still there. */
function readEvents(scene: Scene): ReadonlySet<string> {
  const folder = scene.at('sessions');
  if (!fs.existsSync(folder)) return new Set();
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  return new Set(
    files.flatMap((name) => {
      try {
        const { events } = JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));
        return (events as { id: string }[]).map(({ id }) => `${path.basename(name)} ${id}`);
      } catch {
        return [];
      }
    }),
  );
}
