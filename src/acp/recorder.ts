import fs from 'node:fs';
import { AGENTS } from '../capture/index.ts';
import type { Call, Step } from '../capture/tale.ts';
import { readObjects } from '../git/objects.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { snapshot } from '../git/snapshot.ts';
import { readHeadFiles } from '../git/trees.ts';
import { appendDiagnostic } from '../sessions/diagnostics.ts';
import { appendPayload } from '../sessions/journal.ts';
import { findSince, logMishap, type Store, storeOf } from '../sessions/store.ts';
import { type AcpCall, commandOf, filesOf, isEdit, isExecution, textsFor } from './call.ts';
import { changeOf } from './change.ts';
import type { Conversation, Heard } from './conversation.ts';

/** A tree of the work tree, and between which moments it was taken. */
interface Snapshot {
  readonly tree: string;
  readonly from: number;
  readonly to: number;
}

/** A session in a repository in which capture is set up. */
interface Place {
  readonly repository: Repository;
  readonly store: Store;
  snapshots: Snapshot[];
  /** What files had after the session's last edit of them. */
  readonly texts: Map<string, string | null>;
  /** What the client was given to write since the last call ended. */
  writes: Map<string, string>;
}

type Ended = Extract<Heard, { what: 'call' }>;

/** What is on disk when a call ends, before anything else happens to it. */
interface EndedCall extends Ended {
  readonly after: ReadonlyMap<string, string | null>;
}

const MAX_FILE = 20 << 20;
/** Agents whose own transcripts have the conversation: then only what was done is written down here, under the same ids. */
const NATIVE = new Set(AGENTS.map(({ name }) => name));

export interface RecorderOptions {
  readonly conversation: Conversation;
  readonly cwd: string;
  now(): number;
  /** Told what has been written down. */
  onRecorded?(session: string, words: string): void;
  wake(commonDir: string): void;
}

/** Writes down who did what and when, by the protocol's word, and the contents by the disk's. Nothing that fails here stops anybody. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #places = new Map<string, Promise<Place | undefined>>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  take(heard: Heard): void {
    const { conversation } = this.#options;
    // at once: what the disk has now may be gone when its turn in the queue comes
    const whole = heard.what === 'call' ? { ...heard, after: readFiles(heard) } : heard;
    const cwd = heard.what === 'log' ? this.#options.cwd : conversation.cwdOf(heard.session);
    if (cwd === undefined) return;
    this.#queue = this.#queue.then(async () => {
      const place = await this.#placeAt(cwd);
      if (!place) return;
      try {
        await this.#write(place, whole, cwd);
      } catch (cause) {
        logMishap(place.store, heard.at, `acp: ${cause instanceof Error ? cause.message : String(cause)}`);
      }
    });
  }

  async finish(): Promise<void> {
    await this.#queue;
  }

  #placeAt(cwd: string): Promise<Place | undefined> {
    const known = this.#places.get(cwd) ?? openPlace(cwd);
    this.#places.set(cwd, known);
    return known;
  }

  async #write(place: Place, heard: Heard | EndedCall, cwd: string): Promise<void> {
    switch (heard.what) {
      case 'prompt':
        await this.#snapshot(place);
        return this.#say(place, heard, cwd, 'prompt');
      case 'said':
        return this.#say(place, heard, cwd, heard.thought ? 'thought' : 'message');
      case 'asks':
        return this.#snapshot(place);
      case 'wrote':
        place.writes.set(heard.path, heard.text);
        return;
      case 'call':
        return this.#writeCall(place, heard as EndedCall, cwd);
      case 'turn':
        await this.#snapshot(place);
        return this.#options.wake(place.repository.commonDir);
      case 'log':
        return appendDiagnostic(place.store, {
          ...heard.fields,
          at: heard.at,
          agent: this.#options.conversation.tool.name,
        });
      default:
        return heard satisfies never;
    }
  }

  #say(
    place: Place,
    { session, at, text }: { session: string; at: number; text: string },
    cwd: string,
    kind: 'prompt' | 'message' | 'thought',
  ): void {
    if (NATIVE.has(this.#options.conversation.tool.name) || text === '') return;
    this.#put(place, { session, cwd, at }, { kind, id: `${kind}-${at}`, at, text });
  }

  async #writeCall(place: Place, ended: EndedCall, cwd: string): Promise<void> {
    const { call, session, at, outcome } = ended;
    const before = place.snapshots.findLast(({ to }) => to <= call.at) ?? place.snapshots[0];
    const step: Call = {
      kind: 'call',
      id: call.id,
      at: call.at,
      name: call.name ?? call.kind ?? 'tool',
      input: {},
      cwd,
      end: { at, outcome },
    };
    if (isExecution(call)) {
      await this.#snapshot(place);
      const command = { text: commandOf(call) };
      const { end: _, ...open } = step;
      // since the snapshot, not since the command began: what came between may be somebody else's
      const from = before?.from ?? call.at;
      this.#put(
        place,
        { session, cwd, at: from, ...(before && { tree: before.tree }) },
        { ...open, at: from, command },
      );
      const last = place.snapshots.at(-1);
      this.#put(place, { session, cwd, at, ...(last && { tree: last.tree }) }, { ...step, at: from, command });
      this.#options.onRecorded?.(session, 'recorded a command');
    } else if (isEdit(call) && outcome === 'done') {
      await this.#writeEdit(place, ended, { step, before, cwd });
      await this.#snapshot(place);
    }
    place.writes = new Map();
  }

  async #writeEdit(
    place: Place,
    { call, session, at, after }: EndedCall,
    { step, before, cwd }: { step: Call; before: Snapshot | undefined; cwd: string },
  ): Promise<void> {
    const edits: NonNullable<Call['edits']>[number][] = [];
    let rest = after.size === 0;
    for (const [path, found] of after) {
      const had = place.texts.has(path) ? place.texts.get(path) : await textIn(place, before, path);
      const held = place.writes.get(path);
      const stated = [...textsFor(call, path), ...(held === undefined ? [] : [{ path, new: held, whole: true }])];
      // an editor may hold back what it was given to write, until its user saves it
      const text = held !== undefined && found === had ? held : found;
      const told = changeOf({ before: had ?? null, after: text, stated });
      if (told.change) edits.push({ path, change: told.change });
      rest ||= told.rest;
      place.texts.set(path, text);
    }
    if (edits.length > 0) this.#put(place, { session, cwd, at }, { ...step, edits });
    if (rest) this.#put(place, { session, cwd, at }, { ...step, id: `${call.id}/rest`, edits: [] });
    const names = edits.map(({ path }) => path).join(', ');
    if (names !== '') this.#options.onRecorded?.(session, `recorded an edit of ${names}`);
  }

  #put(
    place: Place,
    { session, cwd, at, tree }: { session: string; cwd: string; at: number; tree?: string },
    step: Step,
  ): void {
    const { tool } = this.#options.conversation;
    const payload = { git_agent: 'acp', session_id: session, cwd, tool, steps: [step] };
    const worktree = place.repository.worktreeName;
    appendPayload(place.store, payload, { at, agent: 'acp', worktree, ...(tree !== undefined && { tree }) });
  }

  async #snapshot(place: Place): Promise<void> {
    const from = this.#options.now();
    const tree = await snapshot(place.repository);
    if (tree === undefined) return;
    place.snapshots = [...place.snapshots.slice(-20), { tree, from, to: this.#options.now() }];
    place.texts.clear();
  }
}

async function openPlace(cwd: string): Promise<Place | undefined> {
  try {
    const repository = await findRepository(cwd);
    const store = storeOf(repository);
    // nothing is done outside initialised repositories
    return findSince(store) ? { repository, store, snapshots: [], texts: new Map(), writes: new Map() } : undefined;
  } catch {
    return undefined;
  }
}

function readFiles({ call, outcome }: { call: AcpCall; outcome: string }): Map<string, string | null> {
  if (outcome !== 'done' || !isEdit(call)) return new Map();
  return new Map(filesOf(call).map((path) => [path, readText(path)]));
}

function readText(path: string): string | null {
  try {
    return fs.statSync(path).size > MAX_FILE ? null : fs.readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** A file's text in a snapshot. */
async function textIn({ repository }: Place, taken: Snapshot | undefined, path: string): Promise<string | null> {
  const inside = repository.worktree !== null && path.startsWith(`${repository.worktree}/`);
  if (!taken || !inside) return null;
  const name = path.slice((repository.worktree ?? '').length + 1);
  const blob = (await readHeadFiles(repository.place, taken.tree, [name])).get(name)?.blob;
  if (blob === undefined) return null;
  return (
    (await readObjects(repository.place, [blob], { maxBytes: MAX_FILE })).get(blob)?.bytes.toString('utf8') ?? null
  );
}
