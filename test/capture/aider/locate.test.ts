import { expect, test } from 'vitest';
import { aider } from '../../../src/capture/aider/index.ts';

const locate = (files: Record<string, string>, env: Record<string, string> = {}) =>
  aider.locate({ home: '/home/u', env, worktrees: ['/repo', '/other'], list: () => [], read: (file) => files[file] });

test('in each work tree, by the name that settings give it', () => {
  expect(locate({})).toEqual(['/repo/.aider.chat.history.md', '/other/.aider.chat.history.md']);
  const settings = { '/repo/.aider.conf.yml': 'model: x\nchat-history-file: ".log/chat.md" # mine\n' };
  expect(locate(settings)).toEqual([
    '/repo/.aider.chat.history.md',
    '/repo/.log/chat.md',
    '/other/.aider.chat.history.md',
  ]);
});

test.each(['/home/u/all.md', '~/all.md', '../all.md', '/repository/all.md'])('%s may be of any repository', (name) => {
  expect(locate({}, { AIDER_CHAT_HISTORY_FILE: name })).toHaveLength(2);
});
