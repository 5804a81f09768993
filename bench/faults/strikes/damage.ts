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
  const files = filesIn(folder);
  fs.mkdirSync(folder, { recursive: true });
  if (files.length === 0) fs.writeFileSync(path.join(folder, 'manifest.json'), '{"version":1,"id');
  else damageBytes(scene.pen.pick(files));
  return { named: ['cache'] };
};

function damageBytes(file: string): void {
  fs.writeFileSync(
    file,
    fs.readFileSync(file).map((byte) => byte ^ 0x55),
  );
}

export const texts: Strike = async (scene) => {
  const pack = scene.at('texts', 'pack');
  if (!fs.existsSync(pack)) await scene.shop.work();
  damageBytes(pack);
  return { named: ['texts'] };
};

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
