import fs from 'node:fs';
import path from 'node:path';
import type { Scene, Strike, Struck } from '../scene.ts';

/** One way to break a file. */
function breakFile({ pen }: Scene, file: string): void {
  const bytes = fs.readFileSync(file);
  const at = pen.below(bytes.length + 1);
  const junk = Buffer.from(Array.from({ length: 1 + pen.below(40) }, () => pen.below(256)));
  const ways = [
    () => fs.truncateSync(file, at),
    () => fs.writeFileSync(file, junk),
    () => fs.writeFileSync(file, Buffer.concat([bytes.subarray(0, at), junk, bytes.subarray(at)])),
    () => fs.writeFileSync(file, Buffer.concat([bytes.subarray(0, at), junk, bytes.subarray(at + junk.length)])),
    () => fs.writeFileSync(file, ''),
  ];
  pen.pick(ways)();
}

function filesIn(folder: string, ending = ''): string[] {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !path.basename(name).startsWith('.'))
    .map((name) => path.join(folder, name))
    .filter((file) => fs.statSync(file).isFile());
}

/** Breaks one of these files until it is no longer what `isSound` asks. */
function damage(scene: Scene, files: readonly string[], isSound: (text: string) => boolean): void {
  const file = scene.pen.pick(files);
  const before = fs.readFileSync(file);
  for (let tries = 0; tries < 50; tries++) {
    breakFile(scene, file);
    if (!isSound(fs.readFileSync(file, 'utf8'))) return;
    fs.writeFileSync(file, before);
  }
  throw new Error(`${file} cannot be broken`);
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

const areJsonLines = (text: string) => text.split('\n').every((line) => line === '' || isJson(line));

/** A file, broken, is named. What only the work makes is made first. */
function breaking(named: string, where: (scene: Scene) => readonly string[], isSound = isJson): Strike {
  return async (scene): Promise<Struck> => {
    if (where(scene).length === 0) await scene.shop.work();
    damage(scene, where(scene), isSound);
    return { named: [named] };
  };
}

const there = (file: string) => (fs.existsSync(file) ? [file] : []);

// a cut at the end of a line is not to be seen
export const journal = breaking('journal', (scene) => [scene.at('journal')], areJsonLines);
export const timeline = breaking('lines', (scene) => filesIn(scene.at('timelines'), '.jsonl'), areJsonLines);
export const session = breaking('session', (scene) => filesIn(scene.at('sessions'), '.agentlog.json'));
export const state = breaking('state', (scene) => there(scene.at('state.json')));
export const since = breaking('since', (scene) => [scene.at('since.json')]);
export const memory = breaking('memory', (scene) => [scene.at('installed.json')]);

const brokenRewrites = breaking('lines', (scene) => there(scene.at('rewrites.jsonl')), areJsonLines);
const brokenCommands = breaking('lines', (scene) => there(scene.at('commands.jsonl')), areJsonLines);

/** What became of a commit is known before the pairs are broken, or not. */
export const rewrites: Strike = async (scene) => {
  scene.shop.git('commit', '-q', '--amend', '-m', `amended ${scene.pen.below(1e6)}`);
  await scene.shop.work();
  return brokenRewrites(scene);
};

export const commands: Strike = async (scene) => {
  scene.shop.shell('ls', 's5');
  await scene.shop.work();
  return brokenCommands(scene);
};

/** An agent's own settings are for its user to mend. */
export const settings: Strike = (scene) => {
  const file = path.join(scene.shop.home, '.claude', 'settings.json');
  const before = fs.readFileSync(file);
  damage(scene, [file], isJson);
  return { named: ['claude-code'], lift: () => fs.writeFileSync(file, before) };
};

/** What readers look contents up in: a segment or the manifest; where there is none yet, half a manifest. */
export const index: Strike = async (scene) => {
  const folder = scene.at('cache', 'index');
  const manifest = path.join(folder, 'manifest.json');
  const named = fs.existsSync(manifest) ? fs.readFileSync(manifest, 'utf8') : '';
  // a segment that no manifest names any more is nobody's loss
  const files = filesIn(folder).filter((file) => file === manifest || named.includes(path.basename(file)));
  fs.mkdirSync(folder, { recursive: true });
  if (files.length === 0) fs.writeFileSync(manifest, '{"version":1,"id');
  else damageBytes(scene.pen.pick(files));
  return { named: ['cache'] };
};

function damageBytes(file: string): void {
  fs.writeFileSync(
    file,
    fs.readFileSync(file).map((byte) => byte ^ 0x55),
  );
}

/** The pack is cut, emptied or written over: what is written next may come to stand where another text was. */
export const texts: Strike = async (scene) => {
  const pack = scene.at('texts', 'pack');
  if (!fs.existsSync(pack)) await scene.shop.work();
  scene.pen.pick([
    () => damageBytes(pack),
    () => fs.truncateSync(pack, scene.pen.below(fs.statSync(pack).size)),
    () => fs.truncateSync(pack, 0),
    () => fs.rmSync(pack),
  ])();
  if (scene.pen.below(2) === 0) await workOn(scene);
  return { named: ['texts'] };
};

const isIndex = (text: string) => /^(?:[0-9a-f]{40} \d+ \d+\n)+$/.test(text);

/** What finds texts in the pack. */
export const textsIndex: Strike = async (scene) => {
  const file = scene.at('texts', 'index');
  if (!fs.existsSync(file)) await scene.shop.work();
  damage(scene, [file], isIndex);
  if (scene.pen.below(2) === 0) await workOn(scene);
  return {};
};

/** An edit more, worked in while nobody has looked yet. */
async function workOn(scene: Scene): Promise<void> {
  scene.add('meanwhile.txt', 's4');
  // that it fails is told by what follows
  await scene.shop.agent('work');
}

/** One commit's note becomes junk, by plain git; its records are gone for good, all others have to stay. */
export const note: Strike = async (scene) => {
  const { shop } = scene;
  await shop.work();
  const list = shop.git('notes', '--ref=agent/trace', 'list').split('\n').filter(Boolean);
  const [, commit = ''] = scene.pen.pick(list).split(' ');
  for (const line of shop.git('notes', '--ref=agent/trace', 'show', commit).split('\n')) scene.broken.add(line);
  shop.git('notes', '--ref=agent/trace', 'add', '-f', '-m', 'no { json', commit);
  return { named: ['notes'] };
};

/** As a power cut leaves a ref: there, and empty; or with junk in it. Given back, nothing is missing. */
export const notesRef: Strike = async (scene) => {
  await scene.shop.work();
  const file = path.join(scene.shop.common, 'refs', 'notes', 'agent', 'trace');
  const before = fs.readFileSync(file);
  fs.writeFileSync(file, scene.pen.pick(['', 'junk\n', '0123\n', Buffer.alloc(41)]));
  await workOn(scene);
  return { named: ['notes'], lift: () => fs.writeFileSync(file, before) };
};

/** An object of the notes' tree is not what it was: git cannot read it, and nobody may go on as if it were not there. */
export const notesObject: Strike = async (scene) => {
  const { shop, pen } = scene;
  await shop.work();
  shop.git(
    'notes',
    '--ref=agent/trace',
    'add',
    '-f',
    '-m',
    `${pen.below(1e9)}`,
    shop.git('hash-object', '-w', '/dev/null'),
  );
  const id = shop.git('rev-parse', pen.pick(['refs/notes/agent/trace', 'refs/notes/agent/trace^{tree}']));
  const file = path.join(shop.common, 'objects', id.slice(0, 2), id.slice(2));
  const before = fs.readFileSync(file);
  fs.chmodSync(file, 0o644);
  fs.writeFileSync(file, pen.pick([Buffer.alloc(0), Buffer.from('junk'), before.subarray(0, before.length >> 1)]));
  await workOn(scene);
  return { named: ['notes'], lift: () => fs.writeFileSync(file, before) };
};

/** Git was killed while it moved the ref: its lock stays, and git moves it no more until somebody has removed it. */
export const refLock: Strike = async (scene) => {
  const file = path.join(scene.shop.common, 'refs', 'notes', 'agent', 'trace.lock');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, '');
  // a young one may be of a git that is at work
  const before = Date.now() / 1000 - 120;
  fs.utimesSync(file, before, before);
  await workOn(scene);
  return { named: ['lock of a ref'], lift: () => fs.rmSync(file, { force: true }) };
};
