import type { AnnotatedLine } from '../blame/annotate.ts';
import { type Choice, type Filter, passes } from './filter.ts';
import type { FileShare, ShownFile, Story } from './source.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A place in a list of which only a part is on the screen. */
export interface Place {
  readonly at: number;
  /** The first one on the screen. */
  readonly top: number;
}

/** A file one looks at. Walking back adds one, returning takes it away. */
export interface Visit extends Place {
  readonly file: ShownFile;
  readonly filter: Filter | undefined;
  /** Which lines of the file are shown, from 0; `at` and `top` count these. */
  readonly rows: readonly number[];
}

/** What is typed at the bottom of the screen. */
export interface Prompt {
  readonly for: 'search' | 'line';
  readonly text: string;
}

/** What fills the screen; `story` is the panel with the keys going to it. */
export type Mode = 'file' | 'story' | 'files' | 'filter' | 'help';

/** The files of one commit. */
export interface Shares {
  readonly revision: string | null;
  readonly files: readonly FileShare[];
}

export interface Model {
  readonly size: Size;
  readonly mode: Mode;
  /** The files on the way here, the current one last. */
  readonly visits: readonly Visit[];
  readonly visit: Visit;
  /** The panel is open. */
  readonly panel: boolean;
  /** The lines before this one of the story have been scrolled away. */
  readonly storyTop: number;
  readonly story: { readonly of: AnnotatedLine; readonly told: Story } | undefined;
  /** Cells of the text that have been scrolled away to the left. */
  readonly left: number;
  readonly prompt: Prompt | undefined;
  readonly sought: string;
  readonly shares: Shares | undefined;
  readonly choices: readonly Choice[];
  /** In the list of files, or of filters. */
  readonly list: Place;
  /** What is being waited for. */
  readonly busy: string | undefined;
  /** How far the counting of the files is. */
  readonly counting: string | undefined;
  /** One sentence at the bottom, until the next key. */
  readonly message: string | undefined;
}

export function firstModel(file: ShownFile, size: Size): Model {
  return {
    size,
    mode: 'file',
    visits: [],
    visit: visitOf(file, undefined, 0),
    panel: false,
    storyTop: 0,
    story: undefined,
    left: 0,
    prompt: undefined,
    sought: '',
    shares: undefined,
    choices: [],
    list: { at: 0, top: 0 },
    busy: undefined,
    counting: undefined,
    message: undefined,
  };
}

/** With the cursor on the first shown line that is `line` (from 0) or comes after it. */
export function visitOf(file: ShownFile, filter: Filter | undefined, line: number): Visit {
  const rows = file.lines.flatMap((one, i) => (passes(one, filter) ? [i] : []));
  const found = rows.findIndex((row) => row >= line);
  return { file, filter, rows, at: found === -1 ? Math.max(0, rows.length - 1) : found, top: 0 };
}

/** Another file begins at its first column; another version of the same one stays where it is. */
export function leftFor({ left, visit }: Model, { path }: ShownFile): number {
  return path === visit.file.path ? left : 0;
}

export function lineAtCursor({ visit }: Model): AnnotatedLine | undefined {
  return visit.file.lines[visit.rows[visit.at] ?? -1];
}

/** Below this width the panel takes the whole screen. */
const SIDE_BY_SIDE = 80;

export interface Layout {
  /** Rows between the first line of the screen and the last. */
  readonly body: number;
  readonly header: boolean;
  readonly footer: boolean;
  /** Width of the file; 0: it is not to be seen. */
  readonly file: number;
  /** Width of the panel; 0: it is not to be seen. */
  readonly panel: number;
}

/** With a space on either side. */
export function storyWidth(panel: number): number {
  return Math.max(4, panel - 2);
}

/** On the smallest screens the file alone is left. */
export function layoutOf({ size: { columns, rows }, panel }: Pick<Model, 'size' | 'panel'>): Layout {
  const [footer, header] = [rows >= 2, rows >= 3];
  const body = Math.max(1, rows - Number(footer) - Number(header));
  const beside = columns >= SIDE_BY_SIDE;
  const width = !panel ? 0 : beside ? Math.floor(columns * 0.45) : columns;
  // one cell for the rule between the two
  return { body, header, footer, panel: width, file: panel ? (beside ? columns - width - 1 : 0) : columns };
}
