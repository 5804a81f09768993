import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { hashBlob } from '../../../src/git/objects.ts';
import { keepDocument } from '../../../src/sessions/documents.ts';
import type { Store } from '../../../src/sessions/store.ts';
import { writeTexts } from '../../../src/sessions/texts.ts';
import { appendEdits } from '../../../src/sessions/timelines.ts';
import type { Scene, Strike } from '../scene.ts';

/** The same verb again, to its end. Where git was killed with it, and has left a lock, it does what it is told to. */
export async function finish(scene: Scene, ...words: readonly string[]): Promise<string> {
  const { shop } = scene;
  if (scene.refLocks().length > 0) await shop.agent('doctor', '--fix');
  const { status, stdout, stderr } = await shop.agent(...words);
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`);
  return stdout + stderr;
}

const expectThat = (holds: boolean, said: string) => {
  if (!holds) throw new Error(said);
};

/** The work is killed at some point; what it has not done, the next one does. */
export const work: Strike = async (scene) => {
  await scene.work(scene.fate());
  return {};
};

export const join: Strike = async (scene) => {
  const words = ['join', ...scene.pen.pick([[], ['HEAD']])];
  await scene.run(words, scene.fate());
  if (scene.pen.below(2) === 0) await finish(scene, ...words);
  return {};
};

/** A commit was made anew, by a word of it or by all of it. */
export const reanchor: Strike = async (scene) => {
  const { shop, pen } = scene;
  if (pen.below(2) === 0) await shop.work();
  shop.git('commit', '-q', '--amend', '-m', `amended ${pen.below(1e6)}`);
  await scene.run(['reanchor'], scene.fate());
  if (pen.below(2) === 0) await finish(scene, 'reanchor');
  return {};
};

export const share: Strike = async (scene) => {
  await scene.run(['share', '--all'], scene.fate());
  if (scene.pen.below(2) > 0) return {};
  await finish(scene, 'share', '--all');
  const shared = scene.shop.git('ls-tree', '-r', '--name-only', 'refs/agent/sessions').split('\n').length;
  const recorded = await finish(scene, 'sessions', '--json');
  expectThat(shared >= JSON.parse(recorded).sessions.length, `only ${shared} sessions are shared`);
  return {};
};

const LONG_AGO = Date.parse('2020-01-01T00:00:00Z');

/** A session of long ago that nothing refers to: its document, a text and an edit. */
function recordOld({ shop, pen, passing }: Scene): string {
  const id = `old-${pen.below(1e9)}`;
  const store: Store = { dir: path.join(shop.common, 'agent'), format: 'sha1' };
  const tool = { name: 'claude-code' };
  const startTime = new Date(LONG_AGO).toISOString();
  passing.add(`${id}.agentlog.json ${id}-1`);
  const said = { id: `${id}-1`, timestamp: startTime, type: 'prompt', content: 'long ago' };
  const agent = { name: tool.name };
  keepDocument(store, { specVersion: '0.2.0', id, startTime, status: 'completed', agent, events: [said] } as never);
  const bytes = Buffer.from(`${id} wrote ${pen.own(id).text}\n`.repeat(1 + pen.below(40)));
  const after = hashBlob('sha1', bytes);
  writeTexts(store, new Map([[after, bytes]]));
  const edit = { path: 'old.txt', worktree: '', session: id, event: said.id, tool, at: LONG_AGO };
  appendEdits(store, [{ ...edit, source: 'hook', kind: 'write', after }]);
  return id;
}

const isStored = (scene: Scene, id: string) =>
  fs.existsSync(scene.at('sessions', 'claude-code', `${id}.agentlog.json`));

export const gc: Strike = async (scene) => {
  const id = recordOld(scene);
  await scene.run(['gc'], scene.fate());
  if (scene.pen.below(2) > 0) return {};
  await finish(scene, 'gc');
  expectThat(!isStored(scene, id), 'gc leaves what is old');
  return {};
};

export const forget: Strike = async (scene) => {
  const id = recordOld(scene);
  await scene.run(['forget', id], scene.fate());
  if (isStored(scene, id)) await finish(scene, 'forget', id);
  expectThat(!isStored(scene, id), 'what is to be forgotten is there');
  return {};
};

export const takeIn: Strike = async (scene) => {
  const { shop, pen } = scene;
  const id = `imported-${pen.below(1e9)}`;
  const timestamp = new Date().toISOString();
  const events = [1, 2, 3].map((n) => ({ id: `${id}-${n}`, timestamp, type: 'prompt', content: `words ${n}` }));
  const document = {
    specVersion: '0.2.0',
    id,
    startTime: timestamp,
    status: 'completed',
    agent: { name: 'amp' },
    events,
  };
  const file = path.join(shop.home, 'taken-in.json');
  fs.writeFileSync(file, JSON.stringify(document));
  await scene.run(['import', file], scene.fate());
  await finish(scene, 'import', file);
  const stored = JSON.parse(fs.readFileSync(scene.at('sessions', 'amp', `${id}.agentlog.json`), 'utf8'));
  expectThat(stored.events.length === events.length, `${stored.events.length} events were taken in`);
  return {};
};

export const seal: Strike = async (scene) => {
  const { shop } = scene;
  const key = path.join(shop.home, 'key');
  if (!fs.existsSync(key)) {
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'ada', '-f', key]);
    const [type, blob] = fs.readFileSync(`${key}.pub`, 'utf8').split(' ');
    fs.writeFileSync(`${key}.signers`, `ada@example.com ${type} ${blob}\n`);
    shop.git('config', 'gpg.format', 'ssh');
    shop.git('config', 'user.signingkey', `${key}.pub`);
    shop.git('config', 'gpg.ssh.allowedSignersFile', `${key}.signers`);
  }
  await scene.run(['seal'], scene.fate());
  if (scene.pen.below(2) > 0) return {};
  await finish(scene, 'seal');
  // a record that was broken on purpose is told to be
  if (scene.broken.size === 0) await finish(scene, 'verify', '--all');
  return {};
};

/** Killed, it is run again; what it did not do is done then, and nothing twice. */
export const init: Strike = async (scene) => {
  const words = ['init', '--agents', 'claude-code'];
  fs.rmSync(scene.at('hooks'), { recursive: true });
  await scene.run(words, scene.fate());
  await finish(scene, ...words);
  scene.still();
  return {};
};

/** Killed and run again it has taken everything back; then the work goes on where it was. */
export const deinit: Strike = async (scene) => {
  const { shop } = scene;
  await scene.run(['deinit'], scene.fate());
  await finish(scene, 'deinit');
  const config = shop.git('config', '--local', '--list');
  expectThat(!/^agent\.|^hook\.|notes\/agent|hookspath/im.test(config), `left in the configuration: ${config}`);
  for (const left of ['hooks', 'since.json', 'installed.json'])
    expectThat(!fs.existsSync(scene.at(left)), `deinit leaves ${left}`);
  const settings = path.join(shop.home, '.claude', 'settings.json');
  expectThat(!fs.existsSync(settings), 'deinit leaves settings');
  await finish(scene, 'init', '--agents', 'claude-code');
  scene.still();
  return {};
};
