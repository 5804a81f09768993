import { type Check, FIX, fail, INIT, ok, UPGRADE, warn } from './verdict.ts';

/** What was found in `agent/` that is not as it was written. */
export interface StoreHealth {
  /** A file whose form this program does not know yet. */
  readonly newer: { readonly file: string; readonly version: number } | undefined;
  readonly damaged: readonly StoreDamage[];
}

export interface StoreDamage {
  readonly kind: 'since' | 'state' | 'session' | 'lines' | 'texts' | 'draft' | 'cache';
  readonly file: string;
  readonly count: number;
}

/** Nothing that was recorded stops us: what cannot be read is passed over, and this is where it is told. */
export function checkStoreFiles({ newer, damaged }: StoreHealth): Check[] {
  if (newer)
    return [fail('form', `${newer.file} is of form ${newer.version}, which this program does not know`, UPGRADE)];
  const drafts = damaged.filter(({ kind }) => kind === 'draft').length;
  const checks = damaged.filter(({ kind }) => kind !== 'draft').map(checkDamage);
  if (drafts > 0) checks.push(warn('drafts', `${drafts} left by processes that were killed`, FIX));
  return checks.length > 0 ? checks : [ok('recorded', 'everything that was looked at can be read')];
}

function checkDamage({ kind, file, count }: StoreDamage): Check {
  switch (kind) {
    case 'since':
      return fail('since', `${file} cannot be read: nobody knows when capture began`, `${INIT}, or ${FIX}`);
    case 'state':
      return warn('state', `${file} cannot be read`, 'the next work does everything again, and nothing doubles');
    case 'session':
      return warn('session', `${file} cannot be read`, `${FIX} keeps it aside and reads the transcript again`);
    case 'lines':
      return warn(
        'lines',
        `${count} of ${file} cannot be read`,
        'nothing to do: what changed then stays unknown, the others count',
      );
    case 'texts':
      return warn('texts', `${count} in ${file} cannot be read: lines written from them may stay unknown`, FIX);
    case 'cache':
      return warn('cache', `${file} is damaged`, 'nothing to do: the next reader builds it anew');
    case 'draft':
      return warn('drafts', file, FIX);
  }
}
