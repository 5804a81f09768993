import { HELP } from './list-rows.ts';
import { type Outcome, only } from './message.ts';
import { layoutOf, type Model, visitOf } from './model.ts';
import { findStep } from './move.ts';
import { seek } from './prompt-keys.ts';

/** The list of keys closes with any key that does not move it. */
export function inHelp(model: Model, key: string): Model {
  const step = findStep(key);
  if (!step) return { ...model, mode: 'file' };
  // there is no cursor to be seen: what moves is the screen
  const { body } = layoutOf(model);
  const { top } = model.list;
  const next = Math.max(0, Math.min(step(top, body, HELP.length), HELP.length - body));
  return { ...model, list: { at: next, top: next } };
}

/** With the cursor on the file that is shown. */
export function pointed(model: Model): Model {
  const at = model.shares?.files.findIndex(({ path }) => path === model.visit.file.path) ?? -1;
  return model.mode === 'files' ? { ...model, list: { at: Math.max(0, at), top: 0 } } : model;
}

/** Keys in the list of files. */
export function inFiles(model: Model, key: string): Outcome {
  const files = model.shares?.files ?? [];
  switch (key) {
    case 'escape':
    case 'o':
      return only({ ...model, mode: 'file' });
    case '/':
      return only({ ...model, prompt: { for: 'search', text: '' } });
    case 'n':
      return only(seek(model, 1));
    case 'N':
      return only(seek(model, -1));
    case 'enter': {
      const chosen = files[model.list.at];
      if (!chosen || model.busy) return only(model);
      const { revision } = model.visit.file;
      return {
        model: { ...model, busy: 'opening' },
        wants: [{ kind: 'open', path: chosen.path, revision }],
      };
    }
    default:
      return only(moved(model, key, files.length));
  }
}

/** Keys in the list of filters. */
export function inFilter(model: Model, key: string): Model {
  const { file, rows, at } = model.visit;
  if (key === 'escape' || key === 'f') return { ...model, mode: 'file' };
  if (key !== 'enter') return moved(model, key, model.choices.length);
  const chosen = model.choices[model.list.at];
  return { ...model, mode: 'file', visit: visitOf(file, chosen?.filter, rows[at] ?? 0) };
}

function moved(model: Model, key: string, count: number): Model {
  const step = findStep(key);
  if (!step) return model;
  return { ...model, list: { ...model.list, at: step(model.list.at, layoutOf(model).body, count) } };
}
