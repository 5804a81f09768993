import type { AgentAdapter } from '../adapter.ts';
import { assemble } from '../assemble.ts';
import { defined, listOf, objectOf, plainId, textOf } from '../fields.ts';
import type { Step, Tale } from '../tale.ts';

/** What our own tap writes down of an agent behind the Agent Client Protocol (`src/acp`): steps of a tale, each in a payload. */
export const acp: AgentAdapter = {
  name: 'acp',
  decodeTranscript: () => [],
  decodeHook: (payload) => assemble(taleOf(payload)),
  locate: () => [],
  home: ({ home }) => `${home}/.none`,
  hookFiles: [],
};

function taleOf(payload: unknown): Tale {
  const fields = objectOf(payload) ?? {};
  const tool = objectOf(fields.tool);
  return defined({
    session: plainId(fields.session_id) ?? '',
    tool: defined({ name: plainId(tool?.name) ?? 'unknown', version: textOf(tool?.version) }),
    cwd: textOf(fields.cwd),
    // written by ourselves, into a file that only we can read
    steps: listOf(fields.steps).filter((step) => objectOf(step) !== undefined) as Step[],
    skipped: {},
  });
}
