import type { HookFile, Surroundings } from '../adapter.ts';
import { flatHooks } from '../flat-hooks.ts';

export function home({ home: folder }: Surroundings): string {
  return `${folder}/.codeium/windsurf`;
}

const quiet = { show_output: false };

/** Without `working_directory` a hook runs in the workspace. */
export const settings: HookFile = {
  name: 'hooks',
  user: (place) => `${home(place)}/hooks.json`,
  project: '.windsurf/hooks.json',
  ...flatHooks([
    { event: 'pre_user_prompt', mode: 'event', more: quiet },
    { event: 'post_write_code', mode: 'event', more: quiet },
    { event: 'pre_run_command', mode: 'before', more: quiet },
    { event: 'post_run_command', mode: 'after', more: quiet },
    { event: 'post_cascade_response', mode: 'end', more: quiet },
  ]),
};
