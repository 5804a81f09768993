import { type Change, type Plan, planned } from './change.ts';
import {
  beforeBlock,
  configCommand,
  editHook,
  type FoundFile,
  findManager,
  HOOKS,
  type HookName,
  hasBlock,
} from './hook-file.ts';
import { beforeOf, type ChangedFile, type ConfigValue, type Installed, type RememberedFile } from './installed.ts';
import { planRefspecs } from './notes-refspec.ts';
import { planAgents } from './plan-agents.ts';
import { planChain, planRelink, planUnchain, wantsChain } from './plan-chain.ts';
import { planOwnFiles } from './plan-own.ts';
import { CONFIG_HOOKS_SINCE, type Found } from './survey.ts';
import type { FoundHook, FoundHooks } from './survey-hooks.ts';

export interface Wishes {
  /** Undefined: those found on this machine. */
  readonly agents: readonly string[] | undefined;
  readonly global: boolean;
  readonly project: boolean;
  /** Hooks that an agent would ask about are to be approved. */
  readonly trust: boolean;
  readonly now: number;
  /** What stands there as capture begins: a snapshot of this work tree, and what all of them have checked out. */
  readonly start?: {
    readonly tree?: string;
    readonly worktree: string;
    readonly heads: readonly string[];
    readonly top?: string;
  };
  readonly program: { readonly node: string; readonly script: string };
}

/** What `init` has to change so that everything is in place; nothing where it is already. */
export function planInit(found: Found, wishes: Wishes): Plan {
  return planned([
    planOwnFiles(found, wishes),
    planHooks(found, wishes),
    planRefspecs(found),
    planAgents(found, wishes),
  ]);
}

function planHooks(found: Found, wishes: Wishes): Plan {
  if (wishes.global && !found.configHooks) {
    const why = `git ${found.gitVersion} has no hooks in its configuration (git ${CONFIG_HOOKS_SINCE} does)`;
    return { changes: [], remarks: [], refusals: [`--global: ${why}: run git agent init in each repository instead.`] };
  }
  const { chain, home } = found.hooks;
  if (found.configHooks)
    return planned([planConfigHooks(found, wishes.global ? 'global' : 'local'), planUnchain(chain)]);
  if (wantsChain(found.hooks, wishes.project)) return planChain(found);
  // a folder that others write, with our lines in it: as it should be, and not ours to bring up to date
  const theirs = home === 'shared' || (home === 'tracked' && !wishes.project);
  return planned([planUnchain(chain), theirs ? planned([]) : planHookFiles(found, wishes.project)]);
}

function planConfigHooks({ local, global }: Found, scope: ConfigValue['scope']): Plan {
  // git runs a hook of one name once, whatever file names it: what stands in the global file need not stand here
  const there = scope === 'global' ? [global] : [global, local];
  const changes = HOOKS.flatMap((name) => {
    const hook = `hook.${configHookName(name)}`;
    const wanted = { [`${hook}.command`]: configCommand(name), [`${hook}.event`]: name };
    return Object.entries(wanted)
      .filter(([key, value]) => !there.some((values) => values.get(key)?.includes(value)))
      .map(([key, value]): Change => {
        const said = `git runs our ${name} hook, besides all others (${hook} in the ${scope} configuration)`;
        return { kind: 'value', value: { scope, key, value }, said };
      });
  });
  return { changes, remarks: [], refusals: [] };
}

/** One hook per event: git does not tell a hook which event it runs for. */
export function configHookName(name: HookName): string {
  return `git-agent-blame-${name}`;
}

/** Puts our lines back where a hook manager wrote its files anew; nothing else is touched without the user's word. */
export function planMend(hooks: FoundHooks, installed: Installed): Plan {
  const files = installed.files.some((file) => file.ours === 'block');
  if (!files || (hooks.home !== 'repository' && hooks.home !== 'ignored')) return planRelink(hooks);
  const lost = hooks.files.filter(({ file }) => file.kind !== 'none' && findManager(file.text) !== undefined);
  return planned(lost.map((hook) => planHookFile(hook, installed.files)));
}

function planHookFiles({ hooks, installed }: Found, project: boolean): Plan {
  const parts = hooks.files.map((hook) => planHookFile(hook, installed.files));
  const lost = `${hooks.manager} writes ${hooks.folder} anew now and then; our lines are put back by the work and by git agent init.`;
  const remarks = hooks.manager && !project && parts.some((part) => part.changes.length > 0) ? [lost] : [];
  return planned([...parts, { changes: [], remarks, refusals: [] }]);
}

function planHookFile(hook: FoundHook, recorded: readonly RememberedFile[]): Plan {
  // a hook manager that runs what it displaced has kept ours running
  if (isChained(hook)) return { changes: [], remarks: [], refusals: [] };
  const edit = editHook(hook.name, hook.file);
  if (edit === undefined) return { changes: [], remarks: [], refusals: [] };
  if (edit.keep && hook.kept.kind !== 'none' && !sameFile(hook.kept, hook.file)) {
    const refusal = `${hook.path} is not a shell script, and ${hook.path}.before-agent is there already: move one of them away.`;
    return { changes: [], remarks: [], refusals: [refusal] };
  }
  const { before, kept } = originalOf(hook, recorded);
  const file: ChangedFile = {
    path: hook.path,
    ours: 'block',
    before,
    after: edit.text,
    // a newer block in a file that runs what was kept: that is still there to be given back
    kept: edit.keep || (kept && hook.kept.kind !== 'none'),
  };
  const how =
    hook.file.kind === 'none'
      ? 'a hook of our own'
      : edit.keep
        ? 'runs what was there after ours'
        : 'our lines after the first';
  return {
    changes: [{ kind: 'file', level: 'repository', file, mode: edit.mode, said: `${hook.path}: ${how}` }],
    remarks: [],
    refusals: [],
  };
}

/** pre-commit renames a hook to NAME.legacy and calls it. */
export function isChained({ file, displaced: [, legacy] }: FoundHook): boolean {
  if (file.kind === 'none' || legacy === undefined || legacy.kind === 'none') return false;
  return file.text.includes('File generated by pre-commit') && hasBlock(legacy.text);
}

/** What stood there before us: what we remember as long as the file is as we left it, else what is there now without our lines. */
function originalOf(
  { path, file }: FoundHook,
  recorded: readonly RememberedFile[],
): Pick<ChangedFile, 'before' | 'kept'> {
  if (file.kind === 'none') return { before: file, kept: false };
  const record = recorded.find((one) => one.path === path);
  const before = record && beforeOf(record, file);
  if (before !== undefined) return { before, kept: record?.kept ?? false };
  return hasBlock(file.text) ? beforeBlock(file) : { before: file, kept: false };
}

function sameFile(a: FoundFile, b: FoundFile): boolean {
  if (a.kind === 'none' || b.kind === 'none') return a.kind === b.kind;
  return a.kind === b.kind && a.text === b.text && a.mode === b.mode;
}
