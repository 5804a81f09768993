import type { AgentLogDocument } from '../agentlog/document.ts';
import { Fault } from '../fault.ts';
import type { Repository } from '../git/repository.ts';
import { encodeName } from '../sessions/file-names.ts';
import { isForgotten } from '../sessions/forgotten.ts';
import { storeOf } from '../sessions/store.ts';
import { openShared } from '../shared/read.ts';

/** Shared sessions as readers see them: without those that were forgotten, here or elsewhere. */
export async function openReadable(repository: Repository) {
  const shared = await openShared(repository.place);
  const store = storeOf(repository);
  const find = async (id: string): Promise<AgentLogDocument | undefined> => {
    const document = await shared.find(id);
    return document && !isForgotten(store, { agent: document.agent.name, id }) ? document : undefined;
  };
  return {
    find,
    list: async (): Promise<AgentLogDocument[]> =>
      (await shared.list()).filter(({ id, agent }) => !isForgotten(store, { agent: agent.name, id })),
    /** Also by the beginning of its id, if it is the only one. */
    async guess(id: string, least: number): Promise<AgentLogDocument | undefined> {
      const exact = await find(id);
      if (exact || id.length < least) return exact;
      // a name with a sign in it is not the id itself
      const near = shared.startingWith(encodeName(id)).filter((name) => !name.includes('%'));
      if (near.length > 1)
        throw new Fault('usage', `${near.length} shared sessions begin with ${id}: name more of it.`);
      return near[0] === undefined ? undefined : find(near[0]);
    },
  };
}
