import { digestOf, stepBetween } from './step.ts';

/** The first form kept whole texts, of before us and after: what is needed of them, in the form that came after it. What is not of that form stays as it is. */
export function fromFirst(value: Fields): Fields {
  const files = Array.isArray(value.files) ? value.files.map(fileFromFirst) : value.files;
  return { ...value, version: 2, files, config: configFromFirst(value.config) };
}

type Fields = Readonly<Record<string, unknown>>;

function fileFromFirst(file: unknown): unknown {
  if (!isRecord(file) || typeof file.after !== 'string' || !isRecord(file.before)) return file;
  const { kind, text, mode, target } = file.before;
  const after = digestOf(file.after);
  if (kind === 'link') return { ...file, before: { kind, target }, after };
  if (kind !== 'file' || typeof text !== 'string') return { ...file, after };
  return { ...file, before: { kind, step: stepBetween(text, file.after), mode }, after };
}

function configFromFirst(config: unknown): unknown {
  if (!isRecord(config) || typeof config.before !== 'string' || typeof config.after !== 'string') return config;
  const { path, before, after } = config;
  return { path, steps: [stepBetween(before, after)], after: digestOf(after) };
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
