import { parsePatch } from '../apply-patch.ts';
import { patchEdits } from '../patch-edits.ts';
import type { Change, Replacement } from '../session.ts';
import type { ToldEdit } from '../tale.ts';
import { type Block, parseDiffBlocks, parseSearchBlocks, parseWholeFiles } from './blocks.ts';
import { reindent } from './indent.ts';
import type { Aftermath } from './said.ts';

/** An answer, the language that its edits are in, and what became of them. */
export interface Answered {
  readonly text: string;
  readonly format: string | undefined;
  readonly aftermath: Aftermath;
  /** A file as it stands now. */
  readonly read: (path: string) => string | undefined;
}

/** Something was changed, and nobody told what. */
const UNTOLD: Change = { kind: 'replace', pairs: [] };

/** What the answer did to files, one edit for each; undefined: nothing. */
export function editsOf(answered: Answered): ToldEdit[] | undefined {
  const { aftermath } = answered;
  if (aftermath.failure !== undefined) return afterFailure(answered, aftermath.failure);
  if (aftermath.applied.length === 0) return undefined;
  const told = toldEdits(answered, new Set(aftermath.applied));
  return aftermath.applied.map((path) => ({ path, change: told?.get(path) ?? UNTOLD }));
}

/** Blocks that do not fit are named, and then the others have been applied. Other languages do not say what they left behind. */
function afterFailure({ text, format, aftermath }: Answered, failure: string): ToldEdit[] | undefined {
  const kind = kindOf(format, text);
  const paths = new Set(kind === 'patch' ? (parsePatch(text) ?? []).map(({ path }) => path) : []);
  if (kind === 'udiff') for (const { names } of parseDiffBlocks(text)) for (const name of names) paths.add(name);
  if (kind !== 'diff') return paths.size > 0 ? [...paths].map((path) => ({ path, change: UNTOLD })) : undefined;
  const count = Number(/# The other (\d{1,6}) SEARCH\/REPLACE blocks? (?:was|were) applied/.exec(failure)?.[1] ?? 0);
  if (count === 0) return undefined;
  const failed = (parseSearchBlocks(failure) ?? []).map(({ pair }) => printOf(pair));
  const blocks = withFiles(parseSearchBlocks(text) ?? []);
  const good = blocks.filter(({ pair, path }) => {
    if (path === '' || aftermath.spared.has(path)) return false;
    const at = failed.indexOf(printOf(pair));
    if (at >= 0) failed.splice(at, 1);
    return at < 0;
  });
  const files = [...new Set(good.map(({ path }) => path))];
  return files.map((path) => {
    const pairs = good.filter((block) => block.path === path).map(({ pair }) => pair);
    return { path, change: good.length === count ? { kind: 'replace', pairs } : UNTOLD };
  });
}

/** Older versions put blanks behind every line of it. */
function printOf({ old, new: fresh }: Replacement): string {
  return `${old}\0${fresh}`.replace(/(?<![ \t])[ \t]+$/gm, '');
}

type Kind = 'diff' | 'udiff' | 'patch' | 'whole' | undefined;

function kindOf(format: string | undefined, text: string): Kind {
  const base = format?.replace(/^editor-/, '');
  if (base === 'diff' || base === 'diff-fenced') return 'diff';
  if (base === 'udiff' || base === 'udiff-simple') return 'udiff';
  if (base === 'whole' || base === 'patch') return base;
  // a change of mode for one prompt (`/code`, `/architect`) is not announced
  if (/^<{5,9} SEARCH>?\s*$/m.test(text)) return 'diff';
  return /^\*\*\* Begin Patch/m.test(text) ? 'patch' : undefined;
}

/** By file; undefined where it is not certain which block went where. */
function toldEdits(answered: Answered, applied: ReadonlySet<string>): Map<string, Change> | undefined {
  const { text, format, aftermath } = answered;
  switch (kindOf(format, text)) {
    case 'diff': {
      const blocks = withFiles(parseSearchBlocks(text) ?? [], applied);
      // aider tries a block that does not fit on the other files of the chat
      const astray = blocks.some(({ path }) => !applied.has(path) && !aftermath.spared.has(path));
      return astray ? undefined : byFile(blocks, answered);
    }
    case 'udiff':
      return byFile(withFiles(parseDiffBlocks(text), applied), answered);
    case 'patch':
      return new Map(patchEdits(text).map(({ path, change }) => [path, change]));
    case 'whole':
      return wholeFiles(parseWholeFiles(text), answered);
    default:
      return undefined;
  }
}

function wholeFiles(files: ReadonlyMap<string, string>, { aftermath }: Answered): Map<string, Change> {
  return new Map(
    aftermath.applied.flatMap((path) => {
      const after = files.get(path) ?? files.get(`path/to/${path}`);
      return after === undefined ? [] : [[path, whole(after, aftermath.created.has(path))]];
    }),
  );
}

function whole(after: string, created: boolean): Change {
  return created ? { kind: 'full', before: null, after } : { kind: 'write', after };
}

interface Placed {
  readonly path: string;
  readonly pair: Replacement;
}

/** The file of each block: by its name among those that were edited, else by the end of its name, else as it is written. */
function withFiles(blocks: readonly Block[], applied: ReadonlySet<string> = new Set()): Placed[] {
  let last = '';
  return blocks.map(({ names, pair }) => {
    const ends = names.flatMap((name) => [...applied].filter((path) => path.split('/').at(-1) === name));
    const byEnd = new Set(ends).size === 1 ? ends[0] : undefined;
    const written = names.find((name) => name.includes('.')) ?? names[0];
    last = names.find((name) => applied.has(name)) ?? byEnd ?? written ?? last;
    return { path: last, pair };
  });
}

function byFile(blocks: readonly Placed[], { aftermath, read }: Answered): Map<string, Change> {
  const pairs = new Map<string, Replacement[]>();
  for (const { path, pair } of blocks) pairs.set(path, [...(pairs.get(path) ?? []), pair]);
  return new Map(
    [...pairs].map(([path, all]) => {
      const [first] = all;
      if (first && all.length === 1 && first.old.trim() === '' && aftermath.created.has(path))
        return [path, whole(first.new, true)];
      const text = read(path);
      return [path, { kind: 'replace', pairs: text === undefined ? all : all.map((pair) => reindent(pair, text)) }];
    }),
  );
}
