// Before each test file, in processes that are used for many. Pins git's surroundings for every test: no user configuration, no clearing up after each commit, fixed names, a stable clock zone.
import path from 'node:path';

const pinned: Record<string, string> = {
  GIT_CONFIG_SYSTEM: path.join(import.meta.dirname, 'gitconfig'),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  TZ: 'UTC',
};
for (const name of Object.keys(process.env)) {
  // the tests may themselves run inside a git hook or an agent
  if (/^(GIT_|CLAUDE|AI_AGENT|CODEX_|XDG_|JJ_)/.test(name)) delete process.env[name];
}
Object.assign(process.env, pinned);
