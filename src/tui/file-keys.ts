import type { ContributorType } from '../lines/origin.ts';
import { choicesOf } from './filter.ts';
import { pointed } from './list-keys.ts';
import { type Outcome, only } from './message.ts';
import { layoutOf, leftFor, lineAtCursor, type Model, visitOf } from './model.ts';
import { findRun, findStep, type Search, settleAround } from './move.ts';
import { seek } from './prompt-keys.ts';
import type { FileShare } from './source.ts';

const KINDS: ReadonlyMap<string, ContributorType> = new Map([
  ['a', 'ai'],
  ['h', 'human'],
  ['m', 'mixed'],
  ['u', 'unknown'],
]);

/** Cells that one key scrolls to the side. */
const SIDEWAYS = 8;
const MOST_LEFT = 20_000;

/** Keys while the file has them. */
export function inFile(model: Model, key: string): Outcome {
  const step = findStep(key);
  if (step) {
    const { at, rows } = model.visit;
    return only({ ...model, visit: { ...model.visit, at: step(at, layoutOf(model).body, rows.length) } });
  }
  const kind = KINDS.get(key.toLowerCase());
  if (kind) return only(jump(model, key === key.toLowerCase() ? 1 : -1, kind));
  switch (key) {
    case ']':
      return only(jump(model, 1));
    case '[':
      return only(jump(model, -1));
    case 'right':
      return only({ ...model, left: Math.min(MOST_LEFT, model.left + SIDEWAYS) });
    case 'left':
      return only({ ...model, left: Math.max(0, model.left - SIDEWAYS) });
    case '/':
      return only({ ...model, prompt: { for: 'search', text: '' } });
    case ':':
      return only({ ...model, prompt: { for: 'line', text: '' } });
    case 'n':
      return only(seek(model, 1));
    case 'N':
      return only(seek(model, -1));
    case 'enter':
      return only({ ...model, panel: !model.panel });
    case 'tab':
      return only({ ...model, panel: true, mode: 'story' });
    case 'escape':
      return only(escaped(model));
    case 'f':
      return only({ ...model, mode: 'filter', choices: choicesOf(model.visit.file.lines), list: { at: 0, top: 0 } });
    case 'o':
      return openList(model);
    case 'p':
      return walkBack(model);
    case 'backspace':
      return only(goBack(model));
    default:
      return only(model);
  }
}

const NAMES: Readonly<Record<ContributorType, string>> = {
  ai: 'line of an agent',
  human: 'line of a person',
  mixed: 'line of both',
  unknown: 'unknown line',
};

function jump(model: Model, way: Search['way'], kind?: ContributorType): Model {
  const { visit } = model;
  const lines = visit.rows.flatMap((row) => visit.file.lines[row] ?? []);
  const at = findRun({ lines, from: visit.at, way, ...(kind && { kind }) });
  if (at === undefined) {
    const where = way === 1 ? 'further down' : 'further up';
    return { ...model, message: `No ${kind ? NAMES[kind] : 'other hand'} ${where}.` };
  }
  const room = { count: visit.rows.length, page: layoutOf(model).body };
  return { ...model, visit: { ...visit, ...settleAround({ at, top: visit.top }, room) } };
}

/** One thing at a time: the panel, then the filter. */
function escaped(model: Model): Model {
  if (model.panel) return { ...model, panel: false };
  const { file, filter, rows, at } = model.visit;
  return filter ? { ...model, visit: visitOf(file, undefined, rows[at] ?? 0) } : model;
}

function openList(model: Model): Outcome {
  const { revision } = model.visit.file;
  const next: Model = { ...model, mode: 'files', list: { at: 0, top: 0 } };
  const { shares, counting } = model;
  if (shares?.revision === revision && (counting || !shares.files.some(isOpen))) return only(pointed(next));
  return {
    model: { ...next, shares: { revision, files: [] }, counting: 'counting' },
    wants: [{ kind: 'shares', revision }],
  };
}

/** Its lines are not counted yet. */
function isOpen({ counts, why }: FileShare): boolean {
  return !counts && !why;
}

function walkBack(model: Model): Outcome {
  const line = lineAtCursor(model);
  if (!line || model.busy) return only(model);
  return {
    model: { ...model, busy: 'walking back' },
    wants: [{ kind: 'before', file: model.visit.file, line }],
  };
}

function goBack(model: Model): Model {
  const visit = model.visits.at(-1);
  if (!visit) return { ...model, message: 'This is where you began.' };
  return { ...model, visit, visits: model.visits.slice(0, -1), left: leftFor(model, visit.file) };
}
