import type { Strike } from '../scene.ts';
import { clockBack, frozenClock } from './clock.ts';
import * as damage from './damage.ts';
import { killHook, tenWriters } from './hooks.ts';
import { cutFetch, cutPush, killPush } from './network.ts';
import * as room from './room.ts';
import * as killed from './verbs.ts';

/** Everything that may happen, by name. */
export const STRIKES: Readonly<Record<string, Strike>> = {
  'work killed': killed.work,
  'hook killed': killHook,
  'disk full': room.fullDisk,
  'no permission': room.noPermission,
  'ten writers': tenWriters,
  'network cut': cutPush,
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
  'join killed': killed.join,
  'reanchor killed': killed.reanchor,
  'push killed': killPush,
  'gc killed': killed.gc,
  'share killed': killed.share,
  'import killed': killed.takeIn,
  'seal killed': killed.seal,
  'init killed': killed.init,
  'deinit killed': killed.deinit,
  'forget killed': killed.forget,
  'power cut': room.powerCut,
  'disk full for hooks': room.fullDiskForHooks,
  'no permission in git': room.noPermissionInGit,
  'not readable': room.notReadable,
  'network cut in a fetch': cutFetch,
  'texts index damaged': damage.textsIndex,
  'rewrites damaged': damage.rewrites,
  'commands damaged': damage.commands,
  'notes ref damaged': damage.notesRef,
  'notes object damaged': damage.notesObject,
  'ref lock left': damage.refLock,
};
