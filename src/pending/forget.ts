import fs from 'node:fs';
import path from 'node:path';
import { parseDocument } from '../agentlog/parse.ts';
import { findFile } from '../sessions/disk.ts';
import { keepTexts, listTexts, type TextEntry } from '../sessions/drop-texts.ts';
import { appendForgotten } from '../sessions/forgotten.ts';
import { scanSessions } from '../sessions/scan.ts';
import type { Store } from '../sessions/store.ts';
import { rewriteLines } from '../sessions/thin.ts';
import { withoutText, withoutWords } from './stale.ts';
import { timelineFiles } from './sweep.ts';

/** What the store has of one session that is to go. */
export interface Oblivion {
  readonly agent: string;
  readonly id: string;
  /** Its document; undefined where only edits are left of it. */
  readonly file: string | undefined;
  readonly edits: number;
  readonly commands: number;
  /** Those that no other session's edit needs. */
  readonly texts: readonly TextEntry[];
  readonly keptTexts: readonly TextEntry[];
}

/** The recorded sessions of that id, or whose ids begin with it. Unlike a name on disk, an id is what the document says. */
export function findRecorded(store: Store, id: string): { agent: string; id: string; file: string }[] {
  const all = [...scanSessions(store)].flatMap(({ file, text }) => {
    const parsed = parseDocument(text);
    if (parsed.kind !== 'document') return [];
    return [{ agent: parsed.document.agent.name, id: parsed.document.id, file }];
  });
  const exact = all.filter((one) => one.id === id);
  return exact.length > 0 ? exact : all.filter((one) => one.id.startsWith(id));
}

/** Works out what would go. Nothing is written. */
export function planForget(store: Store, session: { agent: string; id: string; file?: string | undefined }): Oblivion {
  const { edit, command } = rulesFor(session);
  const [needed, freed] = [new Set<string>(), new Set<string>()];
  let edits = 0;
  for (const line of timelineFiles(store).flatMap(linesOf)) {
    const left = edit(line);
    if (left !== line) edits++;
    for (const text of textsIn(left)) needed.add(text);
    for (const text of textsIn(line)) freed.add(text);
  }
  const goes = ({ id }: TextEntry) => freed.has(id) && !needed.has(id);
  const spoken = linesOf(commandsFile(store)).filter((line) => command(line) !== line);
  // a command has a line for each that told of it
  const commands = new Set(spoken.map((line) => /"event":"(?:[^"\\]|\\.)*"/.exec(line)?.[0])).size;
  const all = listTexts(store);
  return {
    agent: session.agent,
    id: session.id,
    file: session.file,
    edits,
    commands,
    texts: all.filter(goes),
    keptTexts: all.filter((text) => !goes(text)),
  };
}

/** With the lock held. First the tombstone: killed at any point, nothing is kept anew, and the next one removes the rest. */
export function carryOutForget(store: Store, plan: Oblivion, now: number): void {
  const { edit, command } = rulesFor(plan);
  appendForgotten(store, [{ agent: plan.agent, id: plan.id, at: now }]);
  if (plan.file !== undefined) fs.rmSync(plan.file, { force: true });
  for (const file of timelineFiles(store)) rewriteLines(file, edit);
  rewriteLines(commandsFile(store), command);
  // after the edits that named them
  if (plan.texts.length > 0) keepTexts(store, plan.keptTexts);
}

/** That somebody wrote then stays known, or the lines would pass for a person's. */
function rulesFor({ id }: { readonly id: string }) {
  return {
    edit: (line: string) => withoutText(line, ({ session }) => session === id),
    command: (line: string) => withoutWords(line, ({ session }) => session === id),
  };
}

/** Ids of the texts that a line of a timeline names. */
function textsIn(line: string): string[] {
  return [...line.matchAll(/"(?:before|after|detail|blob)":"([0-9a-f]{40,64})"/g)].map(([, id = '']) => id);
}

const commandsFile = (store: Store) => path.join(store.dir, 'commands.jsonl');

function linesOf(file: string): string[] {
  return (findFile(file)?.toString('utf8') ?? '').split('\n').filter((line) => line !== '');
}
