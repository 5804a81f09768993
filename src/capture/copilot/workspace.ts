import { isObject } from '../../json.ts';
import { textOf } from '../fields.ts';
import { parseJsonFile } from '../json-lines.ts';

/** The folder that VS Code keeps for a workspace, and the one that the workspace is. */
export interface Workspace {
  readonly storage: string;
  /** Absent: several folders. */
  readonly folder?: string;
}

/** Of a file in such a folder; undefined: it is in none. */
export function workspaceOf(file: {
  readonly path: string;
  read(file: string): string | undefined;
}): Workspace | undefined {
  const storage = /^.*[\\/]workspaceStorage[\\/][^\\/]+/.exec(file.path)?.[0];
  if (storage === undefined) return undefined;
  const folder = workspaceFolder(file.read(`${storage}/workspace.json`));
  return { storage, ...(folder !== undefined && { folder }) };
}

export function workspaceFolder(text: string | undefined): string | undefined {
  const value = text === undefined ? undefined : parseJsonFile(text);
  return isObject(value) ? pathOfUri(value.folder) : undefined;
}

/** `file:///home/me/x`, `file:///c%3A/x`, and what is on another machine from where that one sees it. */
export function pathOfUri(value: unknown): string | undefined {
  const path = /^(?:file|vscode-remote):\/\/[^/]*(\/.*)$/.exec(textOf(value) ?? '')?.[1];
  if (path === undefined) return undefined;
  try {
    return decodeURIComponent(path).replace(/^\/([A-Za-z]:)/, '$1');
  } catch {
    return undefined; // a percent sign that is none
  }
}
