import type { AnnotatedLine } from '../../src/blame/annotate.ts';
import type { Want } from '../../src/tui/message.ts';
import { firstModel, type Model, type Size } from '../../src/tui/model.ts';
import type { ShownFile, Story } from '../../src/tui/source.ts';
import { update } from '../../src/tui/state.ts';

/** `a` and `b` are two sessions of an agent, `h` and `i` two people, `m` both, `u` nobody knows; `x` is written into the line. */
export function lines(letters: string, text = (i: number) => `line ${i + 1}`): AnnotatedLine[] {
  return [...letters].map((letter, i) => {
    const agent = { session: `s-${letter}`, event: `e${i}`, tool: { name: 'codex' }, model: `openai/model-${letter}` };
    const origins = {
      a: { type: 'ai', evidence: 'observed', agent },
      b: { type: 'ai', evidence: 'observed', agent },
      h: { type: 'human', evidence: 'absent' },
      i: { type: 'human', evidence: 'absent' },
      m: { type: 'mixed', evidence: 'observed', agent },
      u: { type: 'unknown', reason: 'no record' },
    } as const;
    const name = letter === 'i' ? 'Grace' : 'Ada';
    return {
      origin: origins[letter as keyof typeof origins],
      via: 'note',
      blamed: {
        line: i + 1,
        originalLine: i + 1,
        text: Buffer.from(text(i), 'utf8').toString('latin1'),
        commit: letter.charCodeAt(0).toString(16).repeat(20),
        originalFile: 'a.ts',
        author: name,
        authorMail: `${name.toLowerCase()}@example.com`,
        authorTime: 1_780_000_000,
        authorZone: '+0000',
        summary: 'change',
        boundary: false,
        uncommitted: false,
      },
    };
  });
}

export function fileOf(all: readonly AnnotatedLine[], path = 'a.ts', revision: string | null = null): ShownFile {
  return { path, revision, lines: all, abbrev: 7, skipped: 0 };
}

/** Seven rows: five for the file. */
export const SMALL: Size = { columns: 100, rows: 7 };

export function modelOf(letters: string, size: Size = SMALL, text?: (i: number) => string): Model {
  return firstModel(fileOf(lines(letters, text)), size);
}

export interface Pressed {
  readonly model: Model;
  readonly wants: readonly Want[];
}

/** One key after the other; what they want, all together. */
export function press(model: Model, ...keys: string[]): Pressed {
  const wants: Want[] = [];
  let next = model;
  for (const key of keys) {
    const outcome = update(next, { kind: 'key', key });
    next = outcome.model;
    wants.push(...outcome.wants);
  }
  return { model: next, wants };
}

/** Letters one by one, then enter. */
export function typed(text: string): string[] {
  return [...text, 'enter'];
}

export function storyOf(line: AnnotatedLine, over: Partial<Story> = {}): Story {
  return {
    file: 'a.ts',
    line: line.blamed.line,
    text: line.blamed.text,
    commit: line.blamed.commit,
    author: 'Ada',
    authorTime: '2026-01-02T03:04:05Z',
    type: line.origin.type,
    evidence: 'observed',
    via: 'note',
    model: 'openai/model-a',
    tool: { name: 'codex', version: '1.0' },
    session: 's-a',
    conversation: null,
    event: 'e1',
    summary: 'change',
    seal: 'unsealed',
    behind: { prompt: 'Do it', message: 'Done', command: null, call: null, edits: [] },
    why: null,
    ...over,
  };
}
