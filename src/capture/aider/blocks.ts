import type { Replacement } from '../session.ts';

/** A block of an answer that replaces lines of a file. */
export interface Block {
  /** Names that stand in front of it; the first is nearest. None: the file of the block before. */
  readonly names: readonly string[];
  readonly pair: Replacement;
}

const HEAD = /^<{5,9} SEARCH>?$/;
const DIVIDER = /^={5,9}$/;
const UPDATED = /^>{5,9} REPLACE$/;

/** The blocks of aider's languages `diff` and `diff-fenced` (`editblock_coder.py`); undefined where one is cut short: then none is applied. */
export function parseSearchBlocks(text: string): Block[] | undefined {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  const until = (from: number, ...ends: RegExp[]) => {
    let at = from;
    while (at < lines.length && !ends.some((end) => end.test((lines[at] ?? '').trim()))) at++;
    return at;
  };
  for (let head = until(0, HEAD); head < lines.length; ) {
    const middle = until(head + 1, DIVIDER);
    const end = until(middle + 1, UPDATED, DIVIDER);
    if (end >= lines.length) return undefined;
    const names = namesBefore(lines.slice(Math.max(0, head - 3), head));
    const side = (from: number, to: number) => bare(lines.slice(from, to), names);
    blocks.push({ names, pair: { old: side(head + 1, middle), new: side(middle + 1, end), all: false } });
    head = until(end + 1, HEAD);
  }
  return blocks;
}

/** Names in the lines in front of a block, as far as only fences stand between. */
function namesBefore(lines: readonly string[]): string[] {
  const names: string[] = [];
  for (const line of [...lines].reverse()) {
    const name = nameOf(line);
    if (name) names.push(name);
    if (!/^(?:```|<\w)/.test(line)) break;
  }
  return names;
}

function nameOf(line: string): string | undefined {
  const text = line.trim();
  if (text === '...' || UPDATED.test(text)) return undefined;
  const fenced = /^(?:`{3,4}|<(?:source|code|pre|codeblock|sourcecode)>)(.*)$/.exec(text);
  if (fenced) return /[./]/.test(fenced[1] ?? '') ? fenced[1] : undefined;
  return text
    .replace(/:+$/, '')
    .replace(/^#+/, '')
    .trim()
    .replace(/^`+|`+$/g, '')
    .replace(/^\*+|\*+$/g, '');
}

/** Models put the file's name and a fence inside the block too; aider takes them off. */
function bare(lines: readonly string[], [name]: readonly string[]): string {
  const base = name?.split('/').at(-1);
  const named = base && lines[0]?.trim().endsWith(base) ? lines.slice(1) : lines;
  const fenced = named.length > 1 && named[0]?.startsWith('```') && named.at(-1)?.startsWith('```');
  return (fenced ? named.slice(1, -1) : named).map((line) => `${line}\n`).join('');
}

/** The blocks of the language `udiff`: hunks whose line numbers mean nothing. */
export function parseDiffBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let fenced = false;
  let file: string | undefined;
  let hunk: string[] = [];
  const close = () => {
    const side = (sign: string) =>
      hunk.filter((line) => line[0] === ' ' || line[0] === sign).map((line) => line.slice(1));
    if (hunk.some((line) => line[0] !== ' ')) {
      const whole = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
      blocks.push({ names: file ? [file] : [], pair: { old: whole(side('-')), new: whole(side('+')), all: false } });
    }
    hunk = [];
  };
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) {
      close();
      fenced = line.startsWith('```diff') && !fenced;
    } else if (!fenced || line.startsWith('--- ')) close();
    else if (line.startsWith('+++ ')) file = line.slice(4).trim().replace(/^b\//, '');
    else if (line.startsWith('@')) close();
    else hunk.push(line === '' ? ' ' : line);
  }
  close();
  return blocks;
}

const TAGS = 'source|code|pre|codeblock|sourcecode';

/** The files of the language `whole`, by the name in front of each: what stands between two fences is the file. */
export function parseWholeFiles(text: string): Map<string, string> {
  const lines = text.split('\n');
  // a longer fence is used where a shorter one stands in a file
  const tag = new RegExp(`^<(${TAGS})>`, 'm').exec(text)?.[1];
  const [open, shut] = /^````/m.test(text) ? ['````', '````'] : tag ? [`<${tag}>`, `</${tag}>`] : ['```', '```'];
  const files = new Map<string, string>();
  let [name, body]: [string | undefined, string[]] = [undefined, []];
  const close = () => {
    // of two by one name the first counts
    if (name && !files.has(name)) files.set(name, body.map((line) => `${line}\n`).join(''));
    [name, body] = [undefined, []];
  };
  lines.forEach((line, i) => {
    const fence = line.startsWith(open) || line.startsWith(shut);
    if (fence && name !== undefined) close();
    else if (fence) name = i > 0 ? (nameOf(lines[i - 1] ?? '') ?? '') : '';
    else if (name !== undefined) body.push(line);
  });
  close();
  return files;
}
