import { Box, Text, useInput } from 'ink';
import { createElement as h, type ReactElement, useSyncExternalStore } from 'react';
import type { PrintDate } from '../blame/date.ts';
import type { Paint } from '../terminal/colour.ts';
import { fileRows, headerRow } from './file-rows.ts';
import { footerRow } from './footer.ts';
import { keysOf } from './keys.ts';
import { filesRows, filterRows, helpRows } from './list-rows.ts';
import { layoutOf, lineAtCursor, type Model, storyWidth } from './model.ts';
import { storyRows } from './panel.ts';
import { fitRow, printRow, type Row, span } from './spans.ts';
import type { Store } from './store.ts';

export interface Looks {
  readonly paint: Paint;
  readonly date: PrintDate;
}

export function View({ store, looks }: { readonly store: Store; readonly looks: Looks }): ReactElement {
  const model = useSyncExternalStore(store.subscribe, store.model);
  useInput((input, key) => {
    for (const name of keysOf(input, key)) store.dispatch({ kind: 'key', key: name });
  });
  const { columns, rows } = model.size;
  const { header, footer } = layoutOf(model);
  return h(
    Box,
    { flexDirection: 'column', width: columns, height: rows, overflow: 'hidden' },
    header && h(Lines, { rows: [headerRow(model)], width: columns, looks }),
    h(Body, { model, looks }),
    footer && h(Lines, { rows: [footerRow(model)], width: columns, looks }),
  );
}

function Body({ model, looks }: { readonly model: Model; readonly looks: Looks }): ReactElement {
  const { columns } = model.size;
  const { body, file, panel } = layoutOf(model);
  const whole = wholeScreen(model);
  if (whole) return h(Lines, { rows: filled(whole, body), width: columns, looks });
  return h(
    Box,
    { height: body },
    file > 0 && h(Lines, { rows: fileRows(model, looks.date), width: file, looks }),
    file > 0 && panel > 0 && h(Lines, { rows: filled([], body).map(() => [rule(model)]), width: 1, looks }),
    panel > 0 && h(Lines, { rows: panelRows(model, panel), width: panel, looks }),
  );
}

/** The rule is heavy while the keys go to the panel. */
function rule({ mode }: Model) {
  return mode === 'story' ? span('┃', 'bold') : span('│', 'dim');
}

function wholeScreen(model: Model): Row[] | undefined {
  switch (model.mode) {
    case 'files':
      return filesRows(model);
    case 'filter':
      return filterRows(model);
    case 'help':
      return helpRows(model);
    default:
      return undefined;
  }
}

function panelRows(model: Model, width: number): Row[] {
  const { body } = layoutOf(model);
  const { story } = model;
  if (!story || story.of !== lineAtCursor(model)) return filled([[span(' Looking …', 'dim')]], body);
  const { storyTop } = model;
  const rows = storyRows(story.told, storyWidth(width));
  return filled(
    rows.slice(storyTop, storyTop + body).map((row) => [span(' '), ...row]),
    body,
  );
}

function filled(rows: readonly Row[], body: number): Row[] {
  return Array.from({ length: body }, (_, i) => rows[i] ?? []);
}

interface LinesProps {
  readonly rows: readonly Row[];
  readonly width: number;
  readonly looks: Looks;
}

/** One text for each row of the screen: nothing is wrapped, nothing is wider than its place. */
function Lines({ rows, width, looks }: LinesProps): ReactElement {
  return h(
    Box,
    { flexDirection: 'column', width, flexShrink: 0 },
    ...rows.map((row) => h(Text, { wrap: 'truncate' }, printRow(fitRow(row, width), looks.paint))),
  );
}
