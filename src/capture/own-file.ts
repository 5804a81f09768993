import type { CommandFor, HookFile } from './adapter.ts';

/** Stands in every file that is ours alone: by it we know them again. `agent-hook` is what `setup` looks for in all files. */
export const OWN_MARK =
  'Written by `git agent init`, removed by `git agent deinit`: calls agent-hook of git-agent-blame.';

/** How a file that is ours alone, a plug-in or a script, comes and goes. A file of the user's by the same name stays as it is. */
export function ownFile(print: (command: CommandFor) => string): Pick<HookFile, 'add' | 'remove'> {
  const isOurs = (text: string) => text.includes(OWN_MARK);
  return {
    add: (text, command) =>
      text === undefined || isOurs(text)
        ? { text: print(command) }
        : { refused: 'there is a file of yours by the name that ours would have' },
    remove: (text) => ({ text: isOurs(text) ? undefined : text }),
  };
}
