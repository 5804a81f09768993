import type { HookFile } from '../adapter.ts';
import { OWN_MARK } from '../own-file.ts';
import { configFolder } from './locate.ts';

/**
 * Where there is a plug-in, these agents wait at every start until their own package is installed beside it. Once it is, that takes no time;
 * without a network npm tries three times, for over a minute, and again at the next start. These settings count in that folder alone:
 * one try, and the next at the next start.
 */
const TEXT = `# ${OWN_MARK}
# Without a network the agent would wait for over a minute before it loads a plug-in.
fetch-retries=0
fetch-timeout=10000
`;

/** The user's own settings stay as they are. */
export function npmSettings(name: string): HookFile {
  return {
    name: 'npm settings',
    user: (place) => `${configFolder(name, place)}/.npmrc`,
    add: (text) => ({ text: text ?? TEXT }),
    remove: (text) => ({ text: withoutOurs(text) || undefined }),
  };
}

function withoutOurs(text: string): string {
  const ours = new Set(TEXT.split('\n').filter(Boolean));
  const lines = text.split('\n');
  return text.includes(OWN_MARK) ? lines.filter((line) => !ours.has(line)).join('\n') : text;
}
