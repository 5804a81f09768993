import { COLOURS } from '../blame/text.ts';
import { askGit } from '../git/run.ts';
import type { DiffPaint, DiffScreen } from '../log/diff.ts';
import { paintWith, type When, wantsColour } from '../terminal/colour.ts';
import { linkWith } from '../terminal/hyperlink.ts';
import type { PagerOptions } from '../terminal/pager.ts';
import type { World } from './command.ts';
import { findHyperlinks } from './hyperlinks.ts';
import { readSettings } from './settings.ts';

const WIDTH = 100;

/** How wide and in which colours: those that the person has set for git's diffs. */
export async function diffScreenOf(
  world: World,
  pager: PagerOptions | undefined,
  asked: When | undefined,
): Promise<DiffScreen> {
  const settings = await readSettings(world.cwd, '^color\\.(ui|diff.*)$');
  const configured = settings.get('color.diff') ?? settings.get('color.ui');
  const colours = wantsColour({ asked, configured, isTTY: world.out.isTTY, env: world.env });
  const hyperlinks = await findHyperlinks(world, { asked: undefined, pager });
  const own = colours && [...settings.keys()].some((name) => name.startsWith('color.diff.'));
  return {
    paint: paintWith(colours),
    width: world.out.columns ?? WIDTH,
    link: linkWith(hyperlinks),
    slots: own ? { ...usualSlots(colours), ...(await ownSlots(world)) } : usualSlots(colours),
  };
}

/** Git's own colours, and blame's for added lines. */
function usualSlots(colours: boolean): DiffPaint {
  const paint = paintWith(colours);
  const { ai, human, mixed, unknown } = COLOURS;
  return {
    meta: (text) => paint('bold', text),
    frag: (text) => paint('cyan', text),
    old: (text) => paint('red', text),
    context: (text) => text,
    fresh: {
      ai: (text) => paint(ai, text),
      human: (text) => paint(human, text),
      mixed: (text) => paint(mixed, text),
      unknown: (text) => paint(unknown, text),
    },
  };
}

const SLOTS = { meta: 'bold', frag: 'cyan', old: 'red', context: 'normal' } as const;

/** What the person has set for git's diffs. */
async function ownSlots({ cwd }: World): Promise<Omit<DiffPaint, 'fresh'>> {
  const slot = async (name: keyof typeof SLOTS) => {
    const { out } = await askGit({ cwd }, ['config', '--get-color', `color.diff.${name}`, SLOTS[name]]);
    const begin = out.toString('latin1');
    return (text: string) => (begin === '' ? text : `${begin}${text}\x1b[m`);
  };
  const [meta, frag, old, context] = await Promise.all([slot('meta'), slot('frag'), slot('old'), slot('context')]);
  return { meta, frag, old, context };
}
