import type { Command } from './command.ts';
import type { Verb } from './verb.ts';

const verb = (name: string, load: () => Promise<{ readonly command: Command }>): Verb => ({
  name,
  load: async () => (await load()).command,
});

/** The verbs of `git agent`, in the order of its help. */
export const VERBS: readonly Verb[] = [
  verb('blame', () => import('./blame.ts')),
  verb('init', () => import('./init.ts')),
  verb('deinit', () => import('./deinit.ts')),
  verb('status', () => import('./status.ts')),
  verb('doctor', () => import('./doctor.ts')),
  verb('sessions', () => import('./sessions.ts')),
  verb('show', () => import('./show.ts')),
  verb('why', () => import('./why.ts')),
  verb('log', () => import('./log.ts')),
  verb('diff', () => import('./diff.ts')),
  verb('import', () => import('./import.ts')),
  verb('export', () => import('./export.ts')),
  verb('validate', () => import('./validate.ts')),
  verb('serve', () => import('./serve.ts')),
  verb('mcp', () => import('./mcp.ts')),
  verb('join', () => import('./join.ts')),
  verb('backfill', () => import('./backfill.ts')),
  verb('declare', () => import('./declare.ts')),
  verb('acp', () => import('./acp.ts')),
  verb('reanchor', () => import('./reanchor.ts')),
  verb('sync', () => import('./sync.ts')),
  verb('push', () => import('./push.ts')),
  verb('fetch', () => import('./fetch.ts')),
  verb('share', () => import('./share.ts')),
  verb('forget', () => import('./forget.ts')),
  verb('report', () => import('./report.ts')),
  verb('check', () => import('./check.ts')),
  verb('seal', () => import('./seal.ts')),
  verb('verify', () => import('./verify.ts')),
  verb('pr', () => import('./pr.ts')),
  verb('audit', () => import('./audit.ts')),
  verb('gc', () => import('./gc.ts')),
  verb('tour', () => import('./tour.ts')),
  verb('config', () => import('./config.ts')),
  verb('completion', () => import('./completion.ts')),
  verb('version', () => import('./version.ts')),
  verb('work', () => import('./work.ts')),
  verb('push-notes', () => import('./push-notes.ts')),
];
