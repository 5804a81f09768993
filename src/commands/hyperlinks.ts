import { spawn } from 'node:child_process';
import type { When } from '../terminal/colour.ts';
import { lessOptions, lessPassesLinks, passesEscapes, wantsHyperlinks } from '../terminal/hyperlink.ts';
import { isPager, type PagerOptions } from '../terminal/pager.ts';
import type { World } from './command.ts';

export interface HyperlinksWish {
  readonly asked: When | undefined;
  readonly pager: PagerOptions | undefined;
}

/** Whether what is printed may have links: the terminal knows them, and so does the pager before it. */
export async function findHyperlinks(world: World, { asked, pager }: HyperlinksWish): Promise<boolean> {
  const wanted = wantsHyperlinks({ asked, isTTY: world.out.isTTY, env: world.env });
  if (!wanted || asked === 'always' || !pager || !isPager(pager.command)) return wanted;
  // of other pagers nothing is known
  const options = lessOptions(pager.command);
  if (!options || !passesEscapes(options, world.env.LESS ?? 'FRX')) return false;
  return lessPassesLinks(await askLess(world, pager.command.trim().split(/\s+/)[0] ?? ''));
}

const MOST = 200;

/** What it says of its version at first; nothing where there is none. */
function askLess({ cwd, env }: World, program: string): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    const child = spawn(program, ['--version'], { cwd, env: { ...env }, stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.on('data', (chunk: Buffer) => {
      if (said.length < MOST) said += chunk.toString('latin1');
    });
    child.on('error', () => resolve(''));
    child.on('close', () => resolve(said));
  });
}
