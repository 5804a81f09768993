import type { AgentLogDocument } from '../agentlog/document.ts';
import { modelsDevId } from '../capture/models-dev.ts';
import { importAgentblame } from '../foreign/agentblame.ts';
import type { ImportContext } from '../foreign/claim.ts';
import { importGitAi, sessionsOfGitAi } from '../foreign/import-git-ai.ts';
import { traceInput } from '../pending/records.ts';
import type { Surroundings } from '../pending/world.ts';
import { printRecord } from '../trace/print.ts';
import { type OpenedCommit, openCommits } from './import-candidates.ts';
import type { PlacedTrace } from './import-place.ts';
import type { ForeignNote } from './import-read.ts';

export interface FromNotes {
  readonly placed: readonly PlacedTrace[];
  readonly documents: readonly AgentLogDocument[];
  readonly left: readonly string[];
  /** Claims on lines that are not the commit's. */
  readonly skipped: number;
}

const AT_ONCE = 100;

/** Other tools' notes as records of ours: their word, with hashes of the lines, which they do not have. */
export async function readForeignNotes(
  world: Surroundings,
  notes: readonly ForeignNote[],
  fallback: string | undefined,
): Promise<FromNotes> {
  const placed: PlacedTrace[] = [];
  const documents: AgentLogDocument[] = [];
  const left: string[] = [];
  let skipped = 0;
  for (let at = 0; at < notes.length; at += AT_ONCE) {
    const some = notes.slice(at, at + AT_ONCE).map((one) => ({ ...one, commit: one.commit ?? fallback }));
    const ids = some.flatMap(({ commit }) => commit ?? []);
    const opened = await openCommits(world.repository.place, ids, new Set(some.flatMap(pathsOf)));
    for (const one of some) {
      const commit = one.commit === undefined ? undefined : opened.get(one.commit);
      if (!commit) left.push(one.commit === undefined ? UNNAMED : 'its commit is not here');
      else {
        const found = importNote(world, one, commit);
        for (const line of found.lines) placed.push({ commit: commit.commit.id, line, moved: false });
        documents.push(...found.documents);
        skipped += found.skipped;
      }
    }
  }
  return { placed, documents, left, skipped };
}

const UNNAMED = 'a note does not say of which commit it is: name it with --commit, or name the notes ref';

function pathsOf(one: ForeignNote): string[] {
  return one.kind === 'git-ai' ? one.note.files.map(({ path }) => path) : one.note.attributions.map(({ path }) => path);
}

interface ImportedNote {
  readonly lines: readonly string[];
  readonly documents: readonly AgentLogDocument[];
  readonly skipped: number;
}

function importNote(world: Surroundings, one: ForeignNote, { commit, findFile }: OpenedCommit): ImportedNote {
  const { files: _, ...input } = traceInput(world, { commit, files: [] });
  const context: ImportContext = { ...input, findFile, modelOf };
  const { records, skipped } =
    one.kind === 'git-ai' ? importGitAi(one.note, context) : importAgentblame(one.note, context);
  const documents = one.kind === 'git-ai' ? sessionsOfGitAi(one.note, context) : [];
  return { lines: records.map(printRecord), documents, skipped };
}

/** Agents whose models are of one maker. */
const AGENTS: Readonly<Record<string, string>> = { codex: 'openai', 'gemini-cli': 'google' };
/** What only one maker's models are called, whichever agent asks them. */
const MAKERS: readonly (readonly [RegExp, string])[] = [
  [/^claude-/, 'anthropic'],
  [/^gpt-/, 'openai'],
  [/^gemini-/, 'google'],
];
/** What agents add to the name for how hard it is to think, and how fast. */
const SETTING = /-(?:minimal|low|medium|high|xhigh|fast|thinking)$/;

/** A maker's own names alone: without a version (`claude-opus`), with a setting, or as an agent turns them about, they are no ids. */
function modelOf(tool: string, model: string): string | undefined {
  if (!/\d/.test(model) || SETTING.test(model)) return undefined;
  const maker = MAKERS.find(([pattern]) => pattern.test(model))?.[1];
  return modelsDevId(maker ?? (Object.hasOwn(AGENTS, tool) ? AGENTS[tool] : undefined), model);
}
