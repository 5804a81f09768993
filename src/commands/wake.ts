import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { userFolder } from '../setup/places.ts';
import { readRepositories } from '../setup/repositories.ts';
import type { World } from './command.ts';

/**
 * Has what is pending worked in, in the background, the same way as git's hooks do it; where that cannot be (a read-only disk), the next
 * reader sees it again. Nothing is started that a clone may have brought.
 */
export function wake(common: string, world: Pick<World, 'home' | 'env'>): void {
  const script = path.join(common, 'agent', 'hooks', 'wake');
  // no clone brings a folder named `.git`; any other git dir is on the list of `init`
  const ours = common.split(path.sep).includes('.git') || readRepositories(userFolder(world)).includes(common);
  if (!ours || !fs.existsSync(script)) return;
  spawn('sh', [script, common], { detached: true, stdio: 'ignore' })
    .on('error', () => {})
    .unref();
}
