import fs from 'node:fs';
import path from 'node:path';
import { setImmediate as aMoment } from 'node:timers/promises';
import { whoIs } from '../capture/identity.ts';
import type { Captured, Change, Edit } from '../capture/session.ts';
import { hashBlob } from '../git/objects.ts';
import { cannotWrite } from '../join/shell.ts';
import { parseJson } from '../json.ts';
import type { StoredCommand } from '../sessions/commands.ts';
import { findFile, findText } from '../sessions/disk.ts';
import { type Fact, readJournal } from '../sessions/journal.ts';
import type { Missed } from '../sessions/missed.ts';
import { parsePairs, type Rewrite } from '../sessions/rewrites.ts';
import { readState, type State } from '../sessions/state.ts';
import { MAX_TEXT } from '../sessions/texts.ts';
import type { StoredEdit } from '../sessions/timelines.ts';
import { type PayloadFact, readMishaps, readMissedCalls, waitingPayloads, waitingRewrites } from './payloads.ts';
import { isElsewhere, namedTrees, type Placed, placedThen, placer, type Sight } from './place.ts';
import { storedCommand } from './stored.ts';
import { allTranscripts, type GrownTranscript, grownTranscripts, openTranscript, settledSize } from './transcripts.ts';
import { readUnseen, unseenFile } from './unseen.ts';
import type { Surroundings } from './world.ts';

/** Everything that facts and transcripts tell which the store does not hold yet. Nothing is written by gathering it. */
export interface Harvest {
  readonly edits: StoredEdit[];
  readonly commands: StoredCommand[];
  /** New texts by blob id. */
  readonly texts: Map<string, Buffer>;
  readonly sessions: Captured[];
  readonly rewrites: Rewrite[];
  readonly facts: readonly Fact[];
  /** Payload files that have been read. */
  readonly payloads: string[];
  readonly mishaps: string[];
  readonly missed: Missed;
  readonly state: Pick<State, 'journal' | 'latest' | 'transcripts' | 'skipped'>;
}

/** Payloads above this are not read: no hook shows so much of one edit. */
const MAX_PAYLOAD = 256 * 1024 * 1024;

/** So many payloads are taken at a time. */
const SOME = 50;

/** `all`: every transcript there is, whatever has been worked in. */
export async function gather(world: Surroundings, state: State, { all = false } = {}): Promise<Harvest> {
  const tail = readJournal(world.store, state, world.now());
  const harvest: Harvest = {
    edits: [],
    commands: [],
    texts: new Map(),
    sessions: [],
    rewrites: [],
    facts: tail.facts,
    payloads: [],
    missed: { times: [], size: 0 },
    mishaps: tail.torn > 0 ? [`${tail.torn} torn lines in the journal`] : [],
    state: {
      journal: tail.journal,
      latest: tail.latest,
      transcripts: { ...state.transcripts },
      skipped: { ...state.skipped },
    },
  };
  const shelf = new Shelf(world, harvest);
  const { silent, lost } = readMishaps(world, state.latest);
  for (const [i, payload] of waitingPayloads(world, tail, silent).entries()) {
    shelf.takePayload(payload);
    if (i % SOME === SOME - 1) await aMoment(); // git may be telling something meanwhile
  }
  if (tail.facts.length > 0) harvest.commands.push(...lost);
  const missed = readMissedCalls(world, state.latest);
  harvest.commands.push(...missed.lost);
  if (missed.lost.length > 0) harvest.mishaps.push('hooks were called and could not record it');
  for (const rewrite of waitingRewrites(world, tail)) shelf.takeRewrite(rewrite);
  const now = world.now();
  const transcripts = all ? allTranscripts(world) : grownTranscripts(world, state, namedTranscripts(harvest));
  for (const grown of transcripts) {
    shelf.takeTranscript({ ...grown, unread: state.transcripts[grown.file] === undefined });
    (harvest.state.transcripts as Record<string, unknown>)[grown.file] = settledSize(grown, now);
  }
  return { ...harvest, missed, ...nameModels(harvest) };
}

/** Hooks name neither the model nor the agent's version; the transcript of the same session does. */
function nameModels({ edits, commands, sessions }: Harvest): Pick<Harvest, 'edits' | 'commands'> {
  const models = new Map(sessions.flatMap((session) => [...session.models]));
  const tools = new Map(sessions.flatMap(({ session, tool }) => (tool.version ? [[session, tool]] : [])));
  const name = <T extends StoredEdit | StoredCommand>(one: T): T => {
    const [model, tool] = [one.model ?? models.get(one.event), tools.get(one.session)];
    if (!tool && model === one.model) return one;
    return { ...one, tool: { ...tool, ...one.tool }, ...(model !== undefined && { model }) };
  };
  return { edits: edits.map(name), commands: commands.map(name) };
}

function namedTranscripts({ sessions }: Harvest): Map<string, Set<string>> {
  const named = new Map<string, Set<string>>();
  for (const { tool, transcript } of sessions) {
    if (transcript && path.isAbsolute(transcript))
      named.set(tool.name, (named.get(tool.name) ?? new Set()).add(transcript));
  }
  return named;
}

/** The place where it was filed has gone, and the hook could not tell its name: nobody knows which file of ours it was. */
function isGone({ top }: PayloadFact, { cwd }: Captured): boolean {
  return top === undefined && cwd !== undefined && !fs.existsSync(cwd);
}

/** Puts what adapters decode into the harvest, file by file. */
class Shelf {
  readonly #world: Surroundings;
  readonly #harvest: Harvest;
  readonly #place: (file: string, cwd: string | undefined) => Placed | undefined;

  constructor(world: Surroundings, harvest: Harvest) {
    this.#world = world;
    this.#harvest = harvest;
    this.#place = placer(world.worktrees);
  }

  takePayload(fact: PayloadFact): void {
    const file = fact.left ?? path.join(this.#world.store.dir, 'payloads', fact.file);
    const found = fs.lstatSync(file, { throwIfNoEntry: false });
    if (!found?.isFile()) {
      if (!found && this.#isLost(fact)) this.#takeSomething(fact);
      return;
    }
    // what lies beside it goes first: as long as the payload is there it is asked for
    if (fact.unseen) this.#harvest.payloads.push(unseenFile(fact.file));
    this.#harvest.payloads.push(fact.left ?? fact.file);
    const text = found.size > MAX_PAYLOAD ? '' : (findText(file) ?? '');
    const parsed = parseJson(text, MAX_PAYLOAD);
    const decoded = 'value' in parsed ? this.#decodeHook(parsed.value, fact) : undefined;
    const who = fact.agent || 'an unknown agent';
    if (decoded && decoded.session !== '') this.#take(decoded, 'hook', fact);
    else {
      this.#harvest.mishaps.push(`a payload of ${who} was not understood (${found.size} bytes)`);
      this.#takeSomething(fact);
    }
  }

  /** Payloads go once the state tells that they are worked in: one that is gone before was taken away by somebody else. */
  #isLost({ seq, file }: PayloadFact): boolean {
    const { journal } = readState(this.#world.store);
    const lost = journal > 0 && seq >= journal;
    if (lost) this.#harvest.mishaps.push(`the payload ${file} is gone`);
    return lost;
  }

  /** Something happened here and then, and nobody can tell what: a command without words. */
  #takeSomething({ file, agent, at, worktree = '' }: PayloadFact): void {
    const tool = { name: agent || 'unknown' };
    this.#harvest.commands.push({
      event: `payload ${file}`,
      session: '',
      tool,
      worktree,
      command: '',
      from: at,
      to: at,
    });
  }

  takeRewrite({ file, at }: { file: string; at: number }): void {
    const text = findFile(path.join(this.#world.store.dir, 'payloads', file))?.toString('latin1');
    if (text === undefined) return;
    this.#harvest.payloads.push(file);
    this.#harvest.rewrites.push(...parsePairs(text, at));
  }

  takeTranscript(grown: GrownTranscript): void {
    const file = openTranscript(this.#world, grown);
    try {
      for (const captured of grown.agent.decodeTranscript(file)) this.#take(captured, 'transcript');
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : '';
      this.#harvest.mishaps.push(`a transcript of ${grown.agent.name} could not be read: ${why}`);
    } finally {
      file.close();
    }
  }

  /** The payload says who it was, not the settings file that named the hook: agents run each other's hooks. */
  #decodeHook(value: unknown, fact: PayloadFact): Captured | undefined {
    const name = whoIs(value, fact.agent);
    return this.#world.agents.find((agent) => agent.name === name)?.decodeHook(value, { at: fact.at });
  }

  #take(captured: Captured, source: StoredEdit['source'], fact?: PayloadFact): void {
    if (captured.session === '') return;
    const then = fact && this.#seenThen(fact);
    const edits = captured.edits.flatMap((edit) => this.#storedEdit(captured, edit, { source, then }) ?? []);
    const lost = captured.edits.length > 0 && edits.length === 0;
    if (lost && fact && (then || isGone(fact, captured))) this.#takeSomething(fact);
    const commands = captured.commands.flatMap((command) => this.#storedCommands(captured, command, fact));
    const tells = edits.length > 0 || commands.length > 0;
    const here = source === 'hook' || tells || this.#isHere(captured) || this.#isSpokenOf(captured);
    if (!here) return; // a session of another folder that only looked like ours
    this.#harvest.edits.push(...edits);
    this.#harvest.commands.push(...commands);
    this.#harvest.sessions.push(captured);
    for (const [kind, count] of Object.entries(captured.skipped)) {
      const key = `${captured.tool.name} ${kind}`;
      const skipped = this.#harvest.state.skipped as Record<string, number>;
      skipped[key] = (skipped[key] ?? 0) + count;
    }
  }

  /** By a hook that was called here: its calls may not have come to their end yet. */
  #isSpokenOf({ session, tool }: Captured): boolean {
    return this.#harvest.sessions.some((one) => one.session === session && one.tool.name === tool.name);
  }

  #isHere(captured: Captured): boolean {
    return captured.cwd !== undefined && this.#place('x', captured.cwd) !== undefined;
  }

  /** Where the hook saw the work tree, if that is not where it is. */
  #seenThen({ worktree, top }: PayloadFact): Sight | undefined {
    if (worktree === undefined || top === undefined) return undefined;
    const then = { worktree, top };
    return isElsewhere(then, this.#world.worktrees) ? then : undefined;
  }

  #storedEdit(
    captured: Captured,
    edit: Edit,
    { source, then }: { readonly source: StoredEdit['source']; readonly then: Sight | undefined },
  ): StoredEdit | undefined {
    const placed = this.#place(edit.path, captured.cwd) ?? (then && placedThen(then, edit.path, captured.cwd));
    if (!placed) return undefined;
    const told = this.#tell(edit.change) ?? { kind: 'untold' as const };
    const model = edit.model ?? captured.models.get(edit.event);
    return {
      ...placed,
      session: captured.session,
      event: edit.event,
      tool: captured.tool,
      ...(model !== undefined && { model }),
      at: edit.at,
      source,
      ...told,
      ...(edit.lossy && { lossy: true }),
      ...(edit.userModified && { userModified: true }),
      ...(edit.print !== undefined && { print: edit.print }),
    };
  }

  #tell(change: Change): Pick<StoredEdit, 'kind' | 'before' | 'after' | 'detail'> | undefined {
    switch (change.kind) {
      case 'full': {
        const [before, after] = [this.#keep(change.before), this.#keep(change.after)];
        return before === undefined || after === undefined ? undefined : { kind: 'full', before, after };
      }
      case 'write': {
        const after = this.#keep(change.after);
        return after === undefined ? undefined : { kind: 'write', after };
      }
      case 'hunks':
      case 'replace': {
        const detail = this.#keep(JSON.stringify(change.kind === 'hunks' ? change.hunks : change.pairs));
        return detail ? { kind: change.kind, detail } : undefined;
      }
      default:
        return change satisfies never;
    }
  }

  #keep(text: string | null): string | null | undefined {
    if (text === null) return null;
    const bytes = Buffer.from(text, 'utf8');
    if (bytes.length > MAX_TEXT) return undefined;
    const id = hashBlob(this.#world.store.format, bytes);
    this.#harvest.texts.set(id, bytes);
    return id;
  }

  /** A command belongs to the work tree that the hook told of, which may do so for several; to another that it names it belongs without snapshots: nothing was seen there. */
  #storedCommands(captured: Captured, command: Captured['commands'][number], fact?: PayloadFact): StoredCommand[] {
    const cwd = command.cwd ?? captured.cwd;
    const own = fact?.worktree ?? this.#place('x', cwd)?.worktree;
    const others = cannotWrite(command.command) ? new Set<string>() : namedTrees(this.#place, command.command, cwd);
    if (own !== undefined) others.delete(own);
    const stored = storedCommand(captured, command, fact !== undefined);
    const ended = command.endedAt !== undefined;
    const head = fact?.head && { head: fact.head };
    const [stash, left] = [fact?.stash && { stash: fact.stash }, fact?.stash && { left: fact.stash }];
    const unseen = fact?.unseen && readUnseen(this.#world.store, fact.file);
    const tree = fact?.unseen && !unseen ? undefined : fact?.tree;
    const seen = tree && { ...(ended ? { after: tree, ...left } : { before: tree, ...head, ...stash }), ...unseen };
    return [
      ...(own === undefined ? [] : [{ ...stored, worktree: own, ...seen }]),
      ...[...others].map((worktree) => ({ ...stored, worktree })),
    ];
  }
}
