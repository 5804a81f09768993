import type { Repository } from '../git/repository.ts';
import type { AgentRef } from '../lines/origin.ts';
import { type PendingReader, readPending } from '../pending/reader.ts';
import { conversationUrl } from '../trace/conversation.ts';
import type { World } from './command.ts';
import { openDoor } from './door.ts';

/** What a reader loads when something is pending, in one piece: each piece more is a file more to load. */
export async function openPending(
  repository: Repository,
  world: World,
): Promise<PendingReader & { conversation(agent: AgentRef): string | undefined }> {
  const door = await openDoor(world, repository);
  return {
    ...(await readPending(door)),
    conversation: (agent) => (agent.session ? conversationUrl(agent, door.settings.conversationUrl) : undefined),
  };
}
