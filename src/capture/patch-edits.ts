import { parsePatch } from './apply-patch.ts';
import type { ToldEdit } from './tale.ts';

/** The edits of a patch that was applied, in the language of `apply_patch`; none where it is not understood. */
export function patchEdits(text: string | undefined): ToldEdit[] {
  const files = text === undefined ? undefined : parsePatch(text);
  return (files ?? []).flatMap(({ path, kind, text: after = '', movedTo, pairs = [] }): ToldEdit[] => {
    const gone: ToldEdit = { path, change: { kind: 'write', after: '' } };
    if (kind === 'add') return [{ path, change: { kind: 'write', after } }];
    if (kind === 'delete') return [gone];
    if (movedTo === undefined) return [{ path, change: { kind: 'replace', pairs } }];
    // lines that only moved are found again by the join
    return [{ path: movedTo, change: { kind: 'replace', pairs } }, gone];
  });
}
