import { type Skipped, skip } from '../json-lines.ts';

/** One start of aider, as its history has it. */
export interface Run {
  /** `2026-01-02 10:00:00`, by the clock on the wall. */
  readonly start: string;
  readonly parts: readonly Part[];
}

/** What the person typed, what the model answered, what aider itself printed after that (one text for each time it printed). */
export type Part =
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'reply'; readonly text: string }
  | { readonly kind: 'tool'; readonly said: readonly string[] };

const START = /^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$/;
/** Stands behind every answer that came to its end. */
const TOKENS = /^> Tokens: \S+ sent\b.*\breceived\./;
const STOPPED = /^> \^C /;

/**
 * The runs in a history (aider 0.51 to 0.86, `io.py`):
 *
 *     # aider chat started at 2026-01-02 10:00:00
 *     > what aider prints, two blanks at its end; of several lines only the first has the sign, only the last the blanks
 *     #### what was typed, two blanks at the end of each line
 *     what the model answered, up to the count of its tokens
 */
export function parseHistory(lines: Iterable<string>, skipped: Skipped): Run[] {
  const reader = new Reader(skipped);
  for (const line of lines) reader.take(line.replace(/\r$/, ''));
  return reader.end();
}

class Reader {
  readonly #runs: { start: string; parts: Part[] }[] = [];
  readonly #skipped: Skipped;
  #at: 'tool' | 'quote' | 'prompt' | 'reply' = 'tool';
  /** Lines of the part that is being read. */
  #lines: string[] = [];
  #blank = true;

  constructor(skipped: Skipped) {
    this.#skipped = skipped;
  }

  take(line: string): void {
    const start = START.exec(line)?.[1];
    const blank = this.#blank;
    this.#blank = line.trim() === '';
    if (start !== undefined) {
      this.#close();
      this.#runs.push({ start, parts: [] });
    } else if (this.#runs.length === 0) {
      if (line.trim() !== '') skip(this.#skipped, 'line before the first chat');
    } else this.#takeIn(line, blank);
  }

  #takeIn(line: string, afterBlank: boolean): void {
    if (this.#at === 'reply' && !isReplyEnd(line, afterBlank)) this.#lines.push(line);
    else if (this.#at === 'quote') this.#quote(line);
    else if (line.startsWith('#### ')) this.#prompt(line, afterBlank);
    else if (line.startsWith('>')) this.#tool(line);
    else if (line.trim() === '') return;
    else {
      this.#close();
      this.#at = 'reply';
      this.#lines.push(line);
    }
  }

  /** More of what began with the sign. */
  #quote(line: string): void {
    this.#lines.push(`${this.#lines.pop() ?? ''}\n${line.replace(/ {2}$/, '')}`);
    if (line.endsWith('  ')) this.#at = 'tool';
  }

  #tool(line: string): void {
    if (this.#at !== 'tool') this.#close();
    this.#lines.push(line.slice(2).replace(/ {1,2}$/, ''));
    if (!line.endsWith('  ')) this.#at = 'quote';
  }

  #prompt(line: string, afterBlank: boolean): void {
    if (this.#at !== 'prompt' || afterBlank) this.#close();
    this.#at = 'prompt';
    this.#lines.push(line.slice(5).replace(/ {2}$/, ''));
  }

  #close(): void {
    const parts = this.#runs.at(-1)?.parts;
    const text = this.#lines.join('\n').trim();
    if (parts && text !== '') {
      if (this.#at === 'prompt' || this.#at === 'reply') parts.push({ kind: this.#at, text });
      else parts.push({ kind: 'tool', said: this.#lines });
    }
    this.#lines = [];
    this.#at = 'tool';
  }

  end(): Run[] {
    this.#close();
    return this.#runs;
  }
}

/** Models write headings of four signs too, but no blanks behind them. */
function isReplyEnd(line: string, afterBlank: boolean): boolean {
  return TOKENS.test(line) || STOPPED.test(line) || (afterBlank && /^#### .* {2}$/.test(line));
}
