import { textOf } from '../fields.ts';

/** A path as Codex writes it: since 0.159 folders are `file://` URLs. */
export function pathOf(value: unknown): string | undefined {
  const text = textOf(value);
  if (!text) return undefined;
  if (!text.startsWith('file://')) return text;
  try {
    // file:///C:/folder on Windows
    return decodeURIComponent(text.slice('file://'.length)).replace(/^\/(?=[A-Za-z]:[\\/])/, '');
  } catch {
    return undefined;
  }
}

/** The path, seen from the folder. */
export function pathFrom(folder: string | undefined, path: string): string {
  if (folder === undefined || /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path)) return path;
  return folder.endsWith('/') ? folder + path : `${folder}/${path}`;
}
