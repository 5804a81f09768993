import { ranBetween } from '../join/window.ts';
import type { StoredCommand } from '../sessions/commands.ts';
import type { View } from './view.ts';

/** Commands whose end nobody has told of, perhaps since their agent was killed: what is typed meanwhile is unknown, until they count as ended. */
export function openCommands(view: View, worktree: string, now: number): StoredCommand[] {
  const open = view.windows(worktree).filter((window) => ranBetween(window, now, now + 1));
  const unexplained = open.filter(({ explained }) => !explained);
  const events = new Set(unexplained.map(({ event }) => event));
  return view.commands(worktree).filter(({ event, from, to }) => from !== undefined && !to && events.has(event));
}
