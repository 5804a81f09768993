import fs from 'node:fs';
import path from 'node:path';
import type { Repository } from '../git/repository.ts';
import type { AgentRef } from '../lines/origin.ts';
import type { PendingReader } from '../pending/reader.ts';
import { readPlain } from '../plain-file.ts';
import type { World } from './command.ts';
import { wake } from './wake.ts';

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
  const { openPending } = await import('./pending-door.ts');
  const reader = await openPending(repository, world);
  return { ...reader, wake: () => (reader.idle ? undefined : wake(repository.commonDir, world)) };
}

/**
 * The same for a reader that may not need it: when hooks have told of nothing new, it is loaded only once a commit without a note or a line
 * that is not committed asks for it.
 */
export async function pendingOnDemand(repository: Repository, world: World): Promise<PendingView> {
  if (!isQuiet(repository.commonDir)) return pendingView(repository, world);
  let loaded: PendingView | undefined;
  const load = async () => {
    loaded ??= await pendingView(repository, world);
    return loaded;
  };
  return {
    get prospect() {
      return loaded?.prospect;
    },
    records: async (commits) => (commits.length === 0 ? new Map() : (await load()).records(commits)),
    worktree: async (file) => (await load()).worktree(file),
    conversation: (agent) => loaded?.conversation(agent),
    wake: () => loaded?.wake(),
  };
}

/** Two looks at the disk: everything in the journal is worked in, and no payload waits. */
function isQuiet(commonDir: string): boolean {
  try {
    const agent = path.join(commonDir, 'agent');
    const { journal }: { journal?: unknown } = JSON.parse(readPlain(path.join(agent, 'state.json'), 'utf8'));
    return (
      journal === fs.statSync(path.join(agent, 'journal')).size &&
      fs.readdirSync(path.join(agent, 'payloads')).length === 0
    );
  } catch {
    return false; // not there yet, or damaged: the whole look tells
  }
}
