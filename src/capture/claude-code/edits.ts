import type { JsonObject } from '../../json.ts';
import { defined, listOf, objectOf, textOf } from '../fields.ts';
import { agree, parseHunks, undo } from '../hunks.ts';
import type { Change, Edit, Hunk, Replacement } from '../session.ts';
import { isEditTool, type ToolCall } from './calls.ts';

/** The edit that a successful call made. Failed, refused and unanswered calls made none. */
export function editOf(call: ToolCall): Edit | undefined {
  const { input, result } = call;
  if (!isEditTool(call.name) || result?.outcome !== 'done') return undefined;
  const path = textOf(input.file_path) ?? textOf(input.notebook_path) ?? textOf(result.data.filePath);
  const change = path ? changeOf(call.name, input, { data: result.data, text: result.text }) : undefined;
  if (!path || !change) return undefined;
  return defined({
    event: call.id,
    at: result.at,
    path,
    change,
    model: call.model,
    lossy: isLossy(change) || undefined,
    userModified: result.data.userModified === true || undefined,
  });
}

interface Told {
  readonly data: JsonObject;
  readonly text: string;
}

function changeOf(tool: string, input: JsonObject, told: Told): Change | undefined {
  switch (tool) {
    case 'Write':
      return writeChange(input, told);
    case 'NotebookEdit':
      return notebookChange(told.data);
    default:
      return replaceChange(pairsOf(tool, input, told.data), told.data);
  }
}

/** Claude Code shows each leading tab as two spaces in its patches, and only there. */
function shown(line: string): string {
  return line.replace(/^\t+/, (tabs) => '  '.repeat(tabs.length));
}

function writeChange(input: JsonObject, { data, text }: Told): Change | undefined {
  const after = textOf(data.content) ?? textOf(input.content);
  if (after === undefined) return undefined;
  if (data.type === 'create' || /^File created successfully at/.test(text))
    return { kind: 'full', before: null, after };
  const before = textOf(data.originalFile);
  if (before !== undefined) return { kind: 'full', before, after };
  // large texts are left out of transcripts, their patch is not
  const hunks = parseHunks(data.structuredPatch);
  const undone = hunks && !hidesTabs(hunks, [after]) ? undo(after, { hunks, shown }) : undefined;
  return undone === undefined ? { kind: 'write', after } : { kind: 'full', before: undone, after };
}

function notebookChange(data: JsonObject): Change {
  const before = textOf(data.original_file);
  const after = textOf(data.updated_file);
  if (before !== undefined && after !== undefined) return { kind: 'full', before, after };
  return { kind: 'replace', pairs: [] };
}

function pairsOf(tool: string, input: JsonObject, data: JsonObject): Replacement[] {
  const edits = tool === 'MultiEdit' ? listOf(input.edits ?? data.edits).map((edit) => objectOf(edit) ?? {}) : [input];
  return edits.flatMap((edit) => {
    const old = textOf(edit.old_string) ?? textOf(data.oldString);
    const text = textOf(edit.new_string) ?? textOf(data.newString);
    return old === undefined || text === undefined ? [] : [{ old, new: text, all: edit.replace_all === true }];
  });
}

function replaceChange(pairs: readonly Replacement[], data: JsonObject): Change {
  const hunks = parseHunks(data.structuredPatch);
  const before = textOf(data.originalFile) ?? textOf(data.originalFileContents);
  const whole = before === undefined ? undefined : fullChange(before, userPairs(pairs, data), hunks);
  if (whole) return whole;
  if (
    hunks &&
    !hidesTabs(
      hunks,
      pairs.flatMap((pair) => [pair.old, pair.new]),
    )
  )
    return { kind: 'hunks', hunks };
  const [only] = pairs;
  // an empty old string is allowed for a new or empty file only
  if (only && pairs.length === 1 && only.old === '') return { kind: 'write', after: only.new };
  return { kind: 'replace', pairs };
}

/** Where a person changed the proposal, the result has the strings that were really used. */
function userPairs(pairs: readonly Replacement[], data: JsonObject): readonly Replacement[] {
  const [old, text] = [textOf(data.oldString), textOf(data.newString)];
  if (pairs.length !== 1 || old === undefined || text === undefined) return pairs;
  return [{ old, new: text, all: data.replaceAll === true || pairs[0]?.all === true }];
}

function fullChange(
  before: string,
  pairs: readonly Replacement[],
  hunks: readonly Hunk[] | undefined,
): Change | undefined {
  // a line replaced by nothing takes its newline with it, in the versions that we know of
  for (const wholeLines of [true, false]) {
    const after = pairs.length > 0 ? replaced(before, pairs, wholeLines) : undefined;
    // what we work out must be what the agent says it did
    if (after !== undefined && (!hunks || agree(before, after, { hunks, shown })))
      return { kind: 'full', before, after };
  }
  return undefined;
}

function replaced(before: string, pairs: readonly Replacement[], wholeLines: boolean): string | undefined {
  let text = before;
  for (const pair of pairs) {
    if (pair.old === '') {
      if (text !== '') return undefined;
      text = pair.new;
      continue;
    }
    const withEnd = `${pair.old}\n`;
    const takesEnd = wholeLines && pair.new === '' && !pair.old.endsWith('\n') && text.includes(withEnd);
    const old = takesEnd ? withEnd : pair.old;
    const at = text.indexOf(old);
    if (at < 0) return undefined;
    text = pair.all ? text.split(old).join(pair.new) : text.slice(0, at) + pair.new + text.slice(at + old.length);
  }
  return text;
}

/** Whether spaces at the start of a hunk's line may be tabs; texts of the same file that begin a line with a space say no. */
function hidesTabs(hunks: readonly Hunk[], texts: readonly string[]): boolean {
  if (texts.some((text) => /(?:^|\n)\t/.test(text))) return true;
  if (texts.some((text) => /(?:^|\n) /.test(text))) return false;
  return hunks.some((hunk) => hunk.lines.some((line) => /^[-+ ] {2}/.test(line)));
}

function isLossy(change: Change): boolean {
  switch (change.kind) {
    case 'full':
      return `${change.before ?? ''}${change.after ?? ''}`.includes('\uFFFD');
    case 'hunks':
      return change.hunks.some((hunk) => hunk.lines.some((line) => line.includes('\uFFFD')));
    case 'replace':
      return change.pairs.some((pair) => `${pair.old}${pair.new}`.includes('\uFFFD'));
    case 'write':
      return false;
  }
}
