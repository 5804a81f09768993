/** One thing looked at: how it is, and how to mend it. */
export interface Check {
  readonly name: string;
  readonly level: 'ok' | 'warn' | 'fail';
  readonly said: string;
  readonly mend: string | null;
}

export const INIT = 'run git agent init';
export const FIX = 'git agent doctor --fix';
export const UPGRADE = 'install a newer git-agent-blame; until then nothing there is touched';

export function ok(name: string, said: string): Check {
  return { name, level: 'ok', said, mend: null };
}

export function warn(name: string, said: string, mend: string): Check {
  return { name, level: 'warn', said, mend };
}

export function fail(name: string, said: string, mend: string): Check {
  return { name, level: 'fail', said, mend };
}
