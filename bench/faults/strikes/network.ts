import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { removeFolder } from '../../../test/support/remove.ts';
import { makeFolder } from '../../../test/support/repository.ts';
import type { Scene, Strike } from '../scene.ts';
import { finish } from './verbs.ts';

/** A remote for as long as a strike takes. */
async function withRemote(scene: Scene, part: (remote: string) => Promise<void>): Promise<void> {
  const remote = makeFolder('remote');
  try {
    spawnSync('git', ['init', '-q', '--bare', remote], { env: scene.env() });
    scene.shop.git('remote', 'add', 'origin', remote);
    await part(remote);
    scene.shop.git('remote', 'remove', 'origin');
  } finally {
    removeFolder(remote);
  }
}

/** Our notes are there, and those that were there before. */
function compare({ shop }: Scene, remote: string): void {
  for (const ref of ['refs/notes/agent/trace', 'refs/notes/agent/log']) {
    const ours = shop.git('for-each-ref', '--format=%(objectname)', ref);
    const theirs = shop.git('--git-dir', remote, 'for-each-ref', '--format=%(objectname)', ref);
    if (ours !== theirs) throw new Error(`the remote does not have our ${ref}`);
  }
  if (shop.git('--git-dir', remote, 'fsck', '--no-dangling') !== '') throw new Error('the remote is broken');
}

/** The other side's program, with a line that goes dead after so many bytes, on the way there or back. */
function cut({ shop, pen }: Scene, remote: string, program: 'receivepack' | 'uploadpack'): void {
  const name = program === 'receivepack' ? 'git-receive-pack' : 'git-upload-pack';
  // byte by byte: what was sent before the end has arrived
  const end = `dd bs=1 count=${pen.below(pen.pick([60, 600, 6000]))} status=none`;
  const script = path.join(remote, 'cut');
  // both ends go, as when a cable is pulled: the other side is not to wait for an answer
  const line = pen.pick([`${end} | ${name} "$@"`, `${name} "$@" | { ${end}; kill -9 0; }`]);
  fs.writeFileSync(script, `#!/bin/sh\nexec setsid -w sh -c '${line}' sh "$@"\n`, { mode: 0o755 });
  shop.git('config', `remote.origin.${program}`, script);
}

/** The line goes dead while notes are pushed; when it is back, they arrive. */
export const cutPush: Strike = async (scene) => {
  await withRemote(scene, async (remote) => {
    cut(scene, remote, 'receivepack');
    const { status, stderr } = await scene.shop.agent('push', 'origin');
    if (status !== 0 && stderr === '') throw new Error('a push that failed says nothing');
    scene.shop.git('config', '--unset', 'remote.origin.receivepack');
    await finish(scene, 'push', 'origin');
    compare(scene, remote);
  });
  return {};
};

/** The same while another's notes are fetched. */
export const cutFetch: Strike = async (scene) => {
  await withRemote(scene, async (remote) => {
    await finish(scene, 'push', 'origin');
    cut(scene, remote, 'uploadpack');
    await scene.shop.agent('sync', 'origin');
    scene.shop.git('config', '--unset', 'remote.origin.uploadpack');
    await finish(scene, 'sync', 'origin');
    compare(scene, remote);
  });
  return {};
};

/** The one who pushes is killed; what hangs in between does no harm. */
export const killPush: Strike = async (scene) => {
  await withRemote(scene, async (remote) => {
    if (scene.pen.below(2) === 0) await finish(scene, 'push', 'origin');
    await scene.run([scene.pen.pick(['push', 'sync']), 'origin'], scene.fate());
    await finish(scene, 'push', 'origin');
    compare(scene, remote);
  });
  return {};
};
