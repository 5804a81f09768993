import { inFile } from './file-keys.ts';
import { inFiles, inFilter, inHelp, pointed } from './list-keys.ts';
import { HELP } from './list-rows.ts';
import { type Message, type Outcome, only } from './message.ts';
import { layoutOf, leftFor, lineAtCursor, type Model, type Shares, storyWidth, visitOf } from './model.ts';
import { findStep, settle, settleAround } from './move.ts';
import { storyRows } from './panel.ts';
import { inPrompt } from './prompt-keys.ts';
import type { FileShare, ShownFile } from './source.ts';

/** The whole view: pure, so that every key can be tried without a terminal. */
export function update(model: Model, message: Message): Outcome {
  const { model: next, wants } = answer(model, message);
  const settled = placed(next);
  const line = lineAtCursor(settled);
  // the panel follows the cursor
  const asks = settled.panel && line !== undefined && (!model.panel || line !== lineAtCursor(model));
  if (!asks) return { model: settled, wants };
  return {
    model: { ...settled, storyTop: 0 },
    wants: [...wants, { kind: 'story', file: settled.visit.file, line }],
  };
}

function answer(model: Model, message: Message): Outcome {
  switch (message.kind) {
    case 'key':
      return pressed({ ...model, message: undefined }, message.key);
    case 'resized':
      return only({ ...model, size: message.size });
    case 'opened':
      return only(entered(model, message.file, message.line));
    case 'told':
      return only(
        message.of === lineAtCursor(model) ? { ...model, story: { of: message.of, told: message.story } } : model,
      );
    case 'listed':
      return only(pointed({ ...model, shares: { revision: message.revision, files: message.files } }));
    case 'counted':
      return only({ ...model, shares: model.shares && filledIn(model.shares, message.files) });
    case 'progress':
      return only({ ...model, counting: `${message.done} of ${message.of} files counted` });
    case 'all counted':
      return only({ ...model, counting: undefined });
    case 'failed':
      return only({
        ...(message.of === 'shares' ? uncounted(model) : { ...model, busy: undefined }),
        message: message.why,
      });
  }
}

/** Names that came stay. */
function uncounted(model: Model): Model {
  const { shares } = model;
  return { ...model, counting: undefined, shares: shares && shares.files.length > 0 ? shares : undefined };
}

function filledIn(shares: Shares, counted: readonly FileShare[]): Shares {
  const known = new Map(counted.map((file) => [file.path, file]));
  return { ...shares, files: shares.files.map((file) => known.get(file.path) ?? file) };
}

/** Further back than this nobody finds the way home. */
const MOST_VISITS = 1000;

function entered(model: Model, file: ShownFile, line: number): Model {
  const { visit } = model;
  const fresh = visitOf(file, undefined, line);
  const place = settleAround({ at: fresh.at, top: -1 - fresh.rows.length }, roomOf(model, fresh.rows.length));
  return {
    ...model,
    busy: undefined,
    mode: 'file',
    panel: model.panel && layoutOf(model).file > 0,
    visits: [...model.visits, visit].slice(-MOST_VISITS),
    visit: { ...fresh, ...place },
    left: leftFor(model, file),
  };
}

function pressed(model: Model, key: string): Outcome {
  if (key === 'ctrl-c') return { model, wants: [{ kind: 'quit' }] };
  if (key === 'ctrl-z') return { model, wants: [{ kind: 'suspend' }] };
  if (key === 'ctrl-l') return { model, wants: [{ kind: 'redraw' }] };
  if (model.prompt) return only(inPrompt(model, model.prompt, key));
  if (model.mode === 'help') return only(inHelp(model, key));
  if (key === 'q') return { model, wants: [{ kind: 'quit' }] };
  if (key === '?') return only({ ...model, mode: 'help', list: { at: 0, top: 0 } });
  switch (model.mode) {
    case 'file':
      return inFile(model, key);
    case 'story':
      return only(inStory(model, key));
    case 'files':
      return inFiles(model, key);
    case 'filter':
      return only(inFilter(model, key));
  }
}

function inStory(model: Model, key: string): Model {
  if (key === 'tab' && layoutOf(model).file > 0) return { ...model, mode: 'file' };
  if (key === 'escape' || key === 'tab' || key === 'enter') return { ...model, mode: 'file', panel: false };
  const step = findStep(key);
  if (!step) return model;
  return { ...model, storyTop: step(model.storyTop, layoutOf(model).body, storyLength(model)) };
}

export function roomOf(model: Model, count: number) {
  return { count, page: layoutOf(model).body };
}

/** Whatever happened, cursors are on something, and a panel without a file beside it has the keys. */
function placed(model: Model): Model {
  const { visit } = model;
  const narrow = model.panel && model.mode === 'file' && layoutOf(model).file === 0;
  return {
    ...model,
    mode: narrow ? 'story' : model.mode,
    visit: { ...visit, ...settle(visit, roomOf(model, visit.rows.length)) },
    list: settle(model.list, roomOf(model, listLength(model))),
    storyTop: Math.max(0, Math.min(model.storyTop, storyLength(model) - layoutOf(model).body)),
  };
}

function listLength({ mode, shares, choices }: Model): number {
  if (mode === 'help') return HELP.length;
  return mode === 'files' ? (shares?.files.length ?? 0) : choices.length;
}

/** As it is drawn; nothing before it is told. */
function storyLength(model: Model): number {
  const { panel } = layoutOf(model);
  return model.story && panel > 0 ? storyRows(model.story.told, storyWidth(panel)).length : 0;
}
