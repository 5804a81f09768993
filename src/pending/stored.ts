import type { Captured } from '../capture/session.ts';
import { LONGEST } from '../join/shell-words.ts';
import type { StoredCommand } from '../sessions/commands.ts';

/** What an adapter told of a shell command, as it is kept: but for the work trees it belongs to. */
export function storedCommand(
  captured: Captured,
  command: Captured['commands'][number],
  byHook: boolean,
): Omit<StoredCommand, 'worktree'> {
  const ended = command.endedAt !== undefined;
  const model = command.model ?? captured.models.get(command.event);
  return {
    event: command.event,
    session: captured.session,
    tool: captured.tool,
    ...(model !== undefined && { model }),
    command: command.command.slice(0, LONGEST),
    // the end of a command tells its beginning only in a transcript
    ...(!(byHook && ended) && { from: command.startedAt }),
    ...(ended && { to: command.endedAt }),
    ...(command.background && { background: true }),
    ...(command.refused && { refused: true }),
  };
}
