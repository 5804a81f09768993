import path from 'node:path';
import { chainOf, parseLink, WHERE_USED } from './chain.ts';
import { type Change, type Plan, planned } from './change.ts';
import { type FoundFile, hasBlock } from './hook-file.ts';
import { CONFIG_HOOKS_SINCE, type Found } from './survey.ts';
import type { FoundChain, FoundHooks } from './survey-hooks.ts';

/** A folder that is not ours to write in: git gets one of ours in its place, which leads on to it. */
export function wantsChain({ home, files }: FoundHooks, project: boolean): boolean {
  if (home !== 'shared' && (home !== 'tracked' || project)) return false;
  // a team that committed our lines has them there already
  return !files.every(({ file }) => file.kind !== 'none' && hasBlock(file.text));
}

export function planChain(found: Found): Plan {
  const { folder, home, chain } = found.hooks;
  const { behind, before } = chain;
  const unchain = planUnchain(chain);
  if (unchain.refusals.length > 0) return unchain;
  if (behind === undefined || chain.obstacle !== undefined) return planned([unchain, leftAlone(found)]);
  const links = planLinks(found.hooks, behind);
  const stands = chain.value === chain.folder && chain.record?.behind === behind;
  const set: Change = {
    kind: 'hooks-path',
    chain: { value: chain.folder, before, behind },
    said: `core.hooksPath of this repository: ${chain.folder}; the hooks in ${folder} run as before, after ours`,
  };
  const changes = stands ? [] : [set];
  const offer = 'git agent init --project writes our lines there instead, for the team to commit';
  const remarks = home === 'tracked' && changes.length > 0 ? [`${folder} is part of the work tree: ${offer}.`] : [];
  return planned([links, { changes, remarks, refusals: [] }]);
}

/** For the background work: links that were lost, and a hook that came later and is linked only where it is used. */
export function planRelink(hooks: FoundHooks): Plan {
  const { value, folder, behind, record } = hooks.chain;
  const stands = value === folder && behind !== undefined && behind === record?.behind;
  return stands ? { ...planLinks(hooks, behind), refusals: [] } : planned([]);
}

export function planLinks({ folder, chain }: FoundHooks, behind: string): Plan {
  const said = `${chain.folder}: one link for each hook, to that in ${folder}`;
  const wanted = chainOf({ before: chain.before, behind }, chain.used);
  const isOurs = (there: FoundFile) => there.kind !== 'none' && parseLink(there.text) !== undefined;
  const at = (name: string): FoundFile => chain.links.get(name) ?? { kind: 'none' };
  const gone = WHERE_USED.filter((name) => !wanted.has(name) && isOurs(at(name)));
  const changes: Change[] = gone.map((name) => ({ kind: 'own-gone', path: path.join(chain.folder, name), said }));
  const refusals: string[] = [];
  for (const [name, text] of wanted) {
    const file = path.join(chain.folder, name);
    const there = at(name);
    if (there.kind !== 'none' && !isOurs(there))
      refusals.push(`${file} is not ours any more: move it to ${folder}, then run git agent init again.`);
    else if (there.kind !== 'file' || there.text !== text || there.mode !== 0o700)
      changes.push({ kind: 'own-file', path: file, text, mode: 0o700, said });
  }
  return { changes, remarks: [], refusals };
}

function leftAlone({ hooks: { folder, home, chain }, gitVersion }: Found): Plan {
  const old = `git ${gitVersion} takes hooks only from ${folder} (core.hooksPath): left alone, since ${chain.obstacle}`;
  const later = `Until git ${CONFIG_HOOKS_SINCE}, commits are found when somebody reads`;
  const offer = home === 'tracked' ? '; git agent init --project writes our lines there, for the team to commit' : '';
  return { changes: [], remarks: [`${old}. ${later}${offer}.`], refusals: [] };
}

/** What `core.hooksPath` was comes back where ours is not needed any more. */
export function planUnchain({ value, record, folder }: FoundChain): Plan {
  if (value === undefined) return planned([]);
  if (record === null) {
    const how = 'set it as it should be, or git config --unset core.hooksPath; then run git agent init again.';
    const lost = `core.hooksPath is ours (${folder}), and what it was before is not known any more`;
    return { changes: [], remarks: [], refusals: [`${lost}: ${how}`] };
  }
  const said = `core.hooksPath of this repository: ${record.before.at(-1) ?? 'not set'}, as it was`;
  return { changes: [{ kind: 'hooks-path', chain: null, said }], remarks: [], refusals: [] };
}
