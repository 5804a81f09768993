import fs from 'node:fs';
import path from 'node:path';
import { lstat } from './files.ts';
import { SHIMS } from './hook-file.ts';
import { type Check, FIX, fail, INIT, warn } from './verdict.ts';

/** What stands in the place of a file of ours, and is none: whoever opens it finds nothing, and a pipe would have had him wait. */
export interface InTheWay {
  readonly file: string;
  readonly what: 'a folder' | 'a pipe' | 'a socket' | 'a device';
}

/** A file or a folder of the store that is a link: what is recorded may lie elsewhere, for others to read. */
export interface Linked {
  readonly file: string;
  readonly target: string;
}

/** Below `agent/`, where files are and never folders. */
const FILE_PLACES = [
  /^(?:journal|lock|hooks\.log|(?:since|state|installed)\.json|(?:commands|rewrites|forgotten|diagnostics)\.jsonl)$/,
  /^(?:timelines\/[^/]+\.jsonl|texts\/(?:pack|index)|sessions\/[^/]+\/[^/]+\.agentlog\.json)$/,
  new RegExp(`^hooks/(?:program|${SHIMS.join('|')})$`),
];

/** `others` are files of ours outside of it. */
export function findInTheWay(agentDir: string, others: readonly string[]): InTheWay[] {
  const below = listStore(agentDir).filter(
    (file) => !isFolder(file) || FILE_PLACES.some((place) => place.test(path.relative(agentDir, file))),
  );
  return [...below, ...others].flatMap((file) => {
    const what = kindOf(lstat(file));
    return what === undefined ? [] : [{ file, what }];
  });
}

export function findLinked(agentDir: string): Linked[] {
  return [agentDir, ...listStore(agentDir)].flatMap((file) =>
    lstat(file)?.isSymbolicLink() ? [{ file, target: fs.readlinkSync(file) }] : [],
  );
}

export function checkOddFiles(inTheWay: readonly InTheWay[], linked: readonly Linked[]): Check[] {
  return [
    ...inTheWay.map(({ file, what }) =>
      fail('in the way', `${file} is ${what}`, `move it away, then ${INIT}; or ${FIX}`),
    ),
    ...linked.map(({ file, target }) =>
      warn(
        'links',
        `${file} is a link to ${target}, which is followed`,
        'if that is not your doing, put your own there',
      ),
    ),
  ];
}

/** A folder may have something in it, and is kept aside; of the others nothing is lost. */
export function clearTheWay(inTheWay: readonly InTheWay[], setAside: (file: string) => string): string[] {
  return inTheWay.map(({ file, what }) => {
    if (what === 'a folder') return `${file}, which is a folder, is kept aside as ${setAside(file)}`;
    fs.rmSync(file);
    return `${file}, which is ${what}, is removed`;
  });
}

/** All that is in the store, links not followed; payloads come and go. */
function listStore(agentDir: string): string[] {
  if (!isFolder(agentDir)) return [];
  return fs
    .readdirSync(agentDir, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith(`payloads${path.sep}`))
    .map((name) => path.join(agentDir, name));
}

function isFolder(file: string): boolean {
  return lstat(file)?.isDirectory() === true;
}

function kindOf(found: fs.Stats | undefined): InTheWay['what'] | undefined {
  if (found?.isDirectory()) return 'a folder';
  if (found?.isFIFO()) return 'a pipe';
  if (found?.isSocket()) return 'a socket';
  return found?.isBlockDevice() || found?.isCharacterDevice() ? 'a device' : undefined;
}
