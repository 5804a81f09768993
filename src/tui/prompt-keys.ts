import { readable } from '../lines/text.ts';
import { layoutOf, type Model, type Prompt } from './model.ts';
import { findText, type Search, settleAround } from './move.ts';

/** Longer than any line on a screen. */
const MOST = 200;

/** Keys while something is typed at the bottom. */
export function inPrompt(model: Model, prompt: Prompt, key: string): Model {
  switch (key) {
    case 'escape':
      return { ...model, prompt: undefined };
    case 'enter':
      return carryOut({ ...model, prompt: undefined }, prompt);
    case 'backspace': {
      const text = [...prompt.text].slice(0, -1).join('');
      return { ...model, prompt: prompt.text === '' ? undefined : { ...prompt, text } };
    }
    case 'ctrl-u':
      return { ...model, prompt: { ...prompt, text: '' } };
    default: {
      const typed = [...key].length === 1 && prompt.text.length < MOST;
      return typed ? { ...model, prompt: { ...prompt, text: prompt.text + key } } : model;
    }
  }
}

function carryOut(model: Model, prompt: Prompt): Model {
  if (prompt.for === 'line') return goTo(model, prompt.text.trim());
  // nothing typed: what was sought before
  return seek(prompt.text === '' ? model : { ...model, sought: prompt.text }, 1);
}

function goTo(model: Model, text: string): Model {
  const { visit } = model;
  if (!/^\d{1,9}$/.test(text)) return { ...model, message: `${text === '' ? 'Nothing' : text} is no line number.` };
  const found = visit.rows.findIndex((row) => (visit.file.lines[row]?.blamed.line ?? 0) >= Number(text));
  return placeAt(model, found === -1 ? visit.rows.length - 1 : found);
}

/** The next line, or the next file of the list, with what was sought in it. */
export function seek(model: Model, way: Search['way']): Model {
  const { sought, visit, list, shares } = model;
  if (sought === '') return { ...model, message: 'Nothing was sought yet: / asks for it.' };
  const inList = model.mode === 'files';
  const from = inList ? list.at : visit.at;
  const texts = inList
    ? { count: shares?.files.length ?? 0, at: (i: number) => shares?.files[i]?.path ?? '' }
    : {
        count: visit.rows.length,
        at: (i: number) => readable(visit.file.lines[visit.rows[i] ?? -1]?.blamed.text ?? ''),
      };
  const found = findText(texts, sought, { from, way });
  if (found === undefined) return { ...model, message: `There is no ${sought} here.` };
  const around = way === 1 ? found <= from : found >= from;
  const message = around ? (way === 1 ? 'On from the top.' : 'On from the bottom.') : undefined;
  return { ...placeAt(model, found), message };
}

function placeAt(model: Model, at: number): Model {
  const { visit, list } = model;
  const page = layoutOf(model).body;
  if (model.mode === 'files')
    return { ...model, list: settleAround({ at, top: list.top }, { count: model.shares?.files.length ?? 0, page }) };
  return {
    ...model,
    visit: { ...visit, ...settleAround({ at, top: visit.top }, { count: visit.rows.length, page }) },
  };
}
