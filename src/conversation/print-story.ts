import { plain, visible } from '../terminal/plain.ts';
import { pad, widthOf, wrap } from '../terminal/width.ts';
import type { CommitStory } from './commit.ts';
import type { LineStory } from './line.ts';
import { type Page, printBlock, printCall, printEdit, printFields } from './print.ts';

/** A line of blame as its JSON document has it, and its story. */
export interface ToldLine extends LineStory {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly commit: string | null;
  readonly author: string;
  readonly authorTime: string;
  readonly type: string;
  readonly evidence: string | null;
  readonly via: string | null;
  readonly model: string | null;
  readonly tool: { readonly name: string; readonly version: string | null } | null;
  readonly session: string | null;
  readonly conversation: string | null;
}

export function* printLineStory(told: ToldLine, page: Page): Generator<string> {
  yield `${page.paint('bold', plain(`${told.file}:${told.line}`))}  ${visible(told.text)}\n\n`;
  yield* printFields(
    [
      ['type', told.type],
      ['evidence', told.evidence],
      ['found by', told.via],
      ['commit', told.commit ?? 'not committed'],
      ['author', told.commit ? told.author : null],
      ['time', told.commit ? told.authorTime : null],
      ['agent', told.tool && [told.tool.name, told.tool.version].filter(Boolean).join(' ')],
      ['model', told.model],
      ['session', told.session],
      ['address', told.conversation],
    ],
    page,
  );
  if (told.why) yield `\n${wrap(plain(told.why), page.width).join('\n')}\n`;
  if (!told.behind) return;
  const { prompt, message, command, call, edits } = told.behind;
  yield* printBlock('prompt', prompt ?? 'none was recorded before this step', page);
  if (message) yield* printBlock('agent', message, page);
  if (command) yield* printBlock('command', command, page);
  for (const edit of edits) yield* printEdit(edit, page);
  if (call && edits.length === 0) yield* printCall(call, page);
}

export function* printCommitStory(
  { commit, records, files, sessions }: CommitStory & { readonly commit: string },
  page: Page,
): Generator<string> {
  yield `${page.paint('bold', 'commit')}  ${commit}\n`;
  if (records.length === 0) {
    yield '\nThere is no record of this commit.\n';
    return;
  }
  yield* printCounts(files, page);
  if (sessions.length > 0) yield `\n${page.paint('cyan', 'sessions')}\n`;
  for (const { id, tool, models, lines } of sessions) {
    const by = [tool.name, tool.version, ...models].filter(Boolean).join(' ');
    yield `    ${plain(id)}  ${plain(by)}, ${lines} line${lines === 1 ? '' : 's'}\n`;
  }
}

export interface Counts {
  readonly path: string;
  readonly ai: number;
  readonly human: number;
  readonly mixed: number;
  readonly unknown: number;
}

/** One line per file: A ai, H human, M mixed, ? unknown. */
export function* printCounts(files: readonly Counts[], { paint }: Page): Generator<string> {
  const names = files.map(({ path }) => plain(path));
  const width = names.reduce((widest, name) => Math.max(widest, widthOf(name)), 0);
  yield `\n${paint('cyan', 'lines written, by file')}  (A agent, H person, M both, ? unknown)\n`;
  for (const [i, { ai, human, mixed, unknown }] of files.entries()) {
    yield `    ${pad(names[i] ?? '', width)}  A ${ai}  H ${human}  M ${mixed}  ? ${unknown}\n`;
  }
}
