import type { Page } from '../conversation/print.ts';
import { paintWith, wantsColour } from '../terminal/colour.ts';
import { paged, writeAll } from '../terminal/output.ts';
import type { World } from './command.ts';
import { findPager, readSettings } from './settings.ts';

const WIDTH = 100;

/** Prints for a person: as wide as the screen, with a pager and colours where git would use them. */
export async function showPage(world: World, print: (page: Page) => Iterable<string>): Promise<void> {
  const [settings, pager] = await Promise.all([readSettings(world.cwd, '^color\\.'), findPager(world)]);
  const configured = settings.get('color.ui');
  const colours = wantsColour({ asked: undefined, configured, isTTY: world.out.isTTY, env: world.env });
  const page: Page = { width: Math.min(world.out.columns ?? WIDTH, 160), paint: paintWith(colours) };
  await paged(world.out, pager, (to) => writeAll(print(page), to));
}
