import type { Strike } from '../scene.ts';
import { clockBack, frozenClock } from './clock.ts';
import * as damage from './damage.ts';
import * as surroundings from './surroundings.ts';

/** Everything that may happen, by name. */
export const STRIKES: Readonly<Record<string, Strike>> = {
  'work killed': surroundings.killWork,
  'hook killed': surroundings.killHook,
  'disk full': surroundings.fullDisk,
  'no permission': surroundings.noPermission,
  'ten writers': surroundings.tenWriters,
  'network cut': surroundings.cutNetwork,
  'clock frozen': frozenClock,
  'clock back': clockBack,
  'journal damaged': damage.journal,
  'timeline damaged': damage.timeline,
  'session damaged': damage.session,
  'state damaged': damage.state,
  'since damaged': damage.since,
  'memory damaged': damage.memory,
  'settings damaged': damage.settings,
  'index damaged': damage.index,
  'texts damaged': damage.texts,
  'note damaged': damage.note,
};
