import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Repository } from '../git/repository.ts';
import type { AgentRef } from '../lines/origin.ts';
import type { PendingReader } from '../pending/reader.ts';
import type { World } from './command.ts';

/** What no note speaks of yet; `wake` has it worked in, in the background, once the answer is given. */
export interface PendingView extends Omit<PendingReader, 'idle'> {
  /** Where the conversation can be read. */
  conversation(agent: AgentRef): string | undefined;
  wake(): void;
}

const NOTHING: PendingView = {
  prospect: undefined,
  records: async () => new Map(),
  worktree: async () => new Map(),
  conversation: () => undefined,
  wake: () => {},
};

/** In a repository that was never initialised nothing of this is loaded. */
export async function pendingView(repository: Repository, world: World): Promise<PendingView> {
  if (!fs.existsSync(path.join(repository.commonDir, 'agent', 'journal'))) return NOTHING;
  const [{ openDoor }, { readPending }, { conversationUrl }] = await Promise.all([
    import('./door.ts'),
    import('../pending/reader.ts'),
    import('../trace/conversation.ts'),
  ]);
  const door = await openDoor(world, repository);
  const reader = await readPending(door);
  return {
    ...reader,
    conversation: (agent) => (agent.session ? conversationUrl(agent, door.settings.conversationUrl) : undefined),
    wake: () => (reader.idle ? undefined : wake(repository.commonDir)),
  };
}

/** The same way as git's hooks do it; where that cannot be (a read-only disk), the next reader sees what is pending again. */
function wake(common: string): void {
  const script = path.join(common, 'agent', 'hooks', 'wake');
  if (!fs.existsSync(script)) return;
  spawn('sh', [script, common], { detached: true, stdio: 'ignore' })
    .on('error', () => {})
    .unref();
}
