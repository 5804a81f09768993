import { cut } from '../capture/fields.ts';
import { AGENTS } from '../capture/index.ts';
import type { Call, Step } from '../capture/tale.ts';
import { appendDiagnostic } from '../sessions/diagnostics.ts';
import { appendPayload } from '../sessions/journal.ts';
import { logMishap } from '../sessions/store.ts';
import { changeTime, takeBaseline } from './baseline.ts';
import { commandOf, editedFiles, isEdit, isExecution, textsFor } from './call.ts';
import { changeOf } from './change.ts';
import type { Conversation, Heard } from './conversation.ts';
import {
  LATE,
  openPlace,
  type Place,
  readFiles,
  see,
  seenBefore,
  snapshotBefore,
  startOf,
  takeSnapshot,
} from './place.ts';
import { repeat } from './repeat.ts';

/** What is on disk when a call asks, and when it ends, before anything else happens to it. */
type Files = ReadonlyMap<string, string | null>;
type Ended = Extract<Heard, { what: 'call' }>;
type Begins = Extract<Heard, { what: 'begins' }>;

/** Agents whose own transcripts have the conversation: then only what was done is written down here, under the same ids. */
const NATIVE = new Set(AGENTS.map(({ name }) => name));
/** Less than is kept of a text in the end, so that it is cut once. */
const MAX_SAID = 255 * 1024;
/** While an agent is at work, a snapshot is taken so often, in milliseconds. */
const PACE = 1000;

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
  readonly #watches = new Map<string, () => void>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  take(heard: Heard): void {
    const { conversation } = this.#options;
    // at once: what the disk has now may be gone when its turn in the queue comes
    const files = filesNow(heard);
    const cwd = heard.what === 'log' ? this.#options.cwd : conversation.cwdOf(heard.session);
    if (cwd === undefined) return;
    this.#inTurn(cwd, (place) => this.#write(place, { heard, files, cwd }));
    if (heard.what === 'prompt') this.#watch(heard.session, cwd);
    if (heard.what === 'turn') this.#leave(heard.session);
  }

  async finish(): Promise<void> {
    for (const session of [...this.#watches.keys()]) this.#leave(session);
    await this.#queue;
  }

  #inTurn(cwd: string, act: (place: Place) => Promise<void>): Promise<void> {
    const done = this.#queue.then(async () => {
      const place = await this.#placeAt(cwd);
      try {
        if (place) await act(place);
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        if (place) logMishap(place.store, this.#options.now(), `acp: ${why}`);
      }
    });
    this.#queue = done;
    return done;
  }

  /** While the agent thinks, a person types: the younger the last snapshot before a command, the less of that can be taken for the command's. */
  #watch(session: string, cwd: string): void {
    this.#leave(session);
    const look = async (place: Place) => {
      if (place.baselines.size === 0) await takeSnapshot(place, this.#options.now, true);
    };
    this.#watches.set(
      session,
      repeat(() => this.#inTurn(cwd, look), PACE),
    );
  }

  #leave(session: string): void {
    this.#watches.get(session)?.();
    this.#watches.delete(session);
  }

  #placeAt(cwd: string): Promise<Place | undefined> {
    const known = this.#places.get(cwd) ?? openPlace(cwd);
    this.#places.set(cwd, known);
    return known;
  }

  async #write(place: Place, { heard, files, cwd }: { heard: Heard; files: Files; cwd: string }): Promise<void> {
    switch (heard.what) {
      case 'prompt':
        await this.#snapshot(place);
        return this.#say(place, heard, cwd, 'prompt');
      case 'said':
        return this.#say(place, heard, cwd, heard.thought ? 'thought' : 'message');
      case 'asks':
        for (const [path, text] of files) see(place, path, { text, at: heard.at });
        return this.#snapshot(place);
      case 'begins':
        for (const [path, text] of files) see(place, path, { text, at: heard.at });
        return heard.runs ? this.#beginCommand(place, heard, cwd) : undefined;
      case 'wrote':
        place.writes.set(heard.path, heard.text);
        return;
      case 'call':
        return this.#writeCall(place, { ended: heard, files, cwd });
      case 'turn':
        place.baselines.clear(); // of what never ended
        await this.#snapshot(place);
        return this.#options.wake(place.repository.commonDir);
      case 'log':
        return appendDiagnostic(place.store, {
          at: heard.at,
          agent: this.#options.conversation.tool.name,
          log: heard.fields,
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
    this.#put(place, { session, cwd, at }, { kind, id: `${kind}-${at}`, at, text: cut(text, MAX_SAID) });
  }

  async #beginCommand(place: Place, { call, session }: Begins, cwd: string): Promise<void> {
    const found = await takeBaseline(place, call, this.#options.now);
    place.baselines.set(call.id, found?.before);
    if (!found?.doubtful) return;
    const at = startOf(call);
    const name = call.name ?? call.kind ?? 'tool';
    const end = { at, outcome: 'done' as const };
    const step: Call = { kind: 'call', id: `${call.id}/before`, at, name, input: {}, cwd, end, edits: [] };
    this.#put(place, { session, cwd, at }, step);
  }

  async #writeCall(place: Place, { ended, files, cwd }: { ended: Ended; files: Files; cwd: string }): Promise<void> {
    const { call, session, at, outcome } = ended;
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
      const before = place.baselines.has(call.id) ? place.baselines.get(call.id) : snapshotBefore(place, call);
      place.baselines.delete(call.id);
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
      await this.#writeEdit(place, ended, { step, files, cwd });
      await this.#snapshot(place);
    }
    place.writes = new Map();
  }

  async #writeEdit(
    place: Place,
    { call, session, at }: Ended,
    { step, files, cwd }: { step: Call; files: Files; cwd: string },
  ): Promise<void> {
    const edits: NonNullable<Call['edits']>[number][] = [];
    let rest = files.size === 0 || call.moves;
    for (const [path, found] of files) {
      const seen = await seenBefore(place, call, path);
      const had = seen?.text;
      const held = place.writes.get(path);
      const stated = [...textsFor(call, path), ...(held === undefined ? [] : [{ path, new: held, whole: true }])];
      // an editor may hold back what it was given to write, until its user saves it
      const text = held !== undefined && found === had ? held : found;
      // a call that is told of when it is over may have written before anybody looked
      const late = call.born && had === text;
      // what was seen long before is only good enough where the agent says what it wrote
      const stale = stated.length === 0 && seen !== undefined && seen.at < startOf(call) - LATE;
      const before = late || stale ? undefined : had;
      const told = changeOf({ before, after: text, stated });
      if (told.change) edits.push({ path, change: told.change });
      rest ||= told.rest;
      see(place, path, { text, at });
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
    await takeSnapshot(place, this.#options.now);
  }
}

function filesNow(heard: Heard): Files {
  switch (heard.what) {
    case 'asks':
      return readFiles(heard.call ? editedFiles(heard.call) : []);
    case 'begins': {
      // what was changed since may be the call's doing already
      const isOlder = (path: string) => (changeTime(path) ?? 0) < startOf(heard.call) - LATE;
      const files = readFiles(heard.paths);
      return new Map([...files].filter(([path]) => isOlder(path)));
    }
    case 'call':
      return readFiles(heard.outcome === 'done' ? editedFiles(heard.call) : []);
    default:
      return new Map();
  }
}
