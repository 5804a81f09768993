import { projectCommand, userCommand, withHooks, withoutHooks } from './agents.ts';
import { bytesOf, textOf } from './bytes.ts';
import type { Change, Plan } from './change.ts';
import { planned } from './change.ts';
import type { FoundFile } from './hook-file.ts';
import { beforeOf, type ChangedFile, type Ours, type RememberedFile } from './installed.ts';
import { ownPaths } from './places.ts';
import type { Wishes } from './plan.ts';
import type { Found, FoundAgent, FoundHookFile } from './survey.ts';

/** The agents asked for; without words of the user those that are used on this machine. */
export function wantedAgents(found: Found, { agents }: Wishes): readonly string[] {
  return agents ?? found.agents.filter((agent) => agent.present).map((agent) => agent.setup.name);
}

/**
 * Those whose hooks tell at once, and are in place: where only a transcript does, some time later, or where settings were left alone, nothing
 * shows that an agent was not at work.
 */
export function capturedAgents(found: Found, wishes: Wishes): string[] {
  const wanted = wantedAgents(found, wishes);
  const inPlace = (agent: FoundAgent) =>
    agent.files.length > 0 && planAgent(found, agent, wishes).refusals.length === 0;
  return found.agents
    .filter((agent) => wanted.includes(agent.setup.name) && inPlace(agent))
    .map(({ setup }) => setup.name);
}

export function planAgents(found: Found, wishes: Wishes): Plan {
  const wanted = wantedAgents(found, wishes);
  const parts = found.agents
    .filter(({ setup }) => wanted.includes(setup.name))
    .map((agent) => planAgent(found, agent, wishes));
  const left = found.agents.filter(({ present, setup }) => present && !wanted.includes(setup.name));
  const remarks = left.map(({ setup }) => `${setup.name}: not asked for.`);
  if (wishes.agents?.length === 0) remarks.push(`No agent is captured here, as asked for: ${HOW}.`);
  else if (wanted.length === 0 && left.length === 0) remarks.push(`No agent was found on this machine: ${HOW}.`);
  const user = wanted.length > 0 && !wishes.project;
  const shared = [...(user ? planShim(found) : []), ...(user || wishes.global ? planList(found) : [])];
  return planned([{ changes: shared, remarks, refusals: [] }, ...parts]);
}

const HOW = 'git agent init --agents NAME sets one up, git agent init --help lists them';

function planShim({ places, shims, own }: Found): Change[] {
  const { userShim } = ownPaths(places, []);
  const text = shims.get('agent-hook') ?? '';
  const there = own.get(userShim);
  if (there !== undefined && there.kind !== 'none' && there.text === text && there.mode === 0o755) return [];
  return [{ kind: 'own-file', path: userShim, text, mode: 0o755, said: `${userShim}: what agents call` }];
}

/** Who needs what is set up for the user as a whole: it goes with the last one. */
function planList({ places, repositories, listed }: Found): Change[] {
  const missing = listed.filter((line) => !repositories.includes(line));
  if (missing.length === 0) return [];
  const { repositories: path } = ownPaths(places, []);
  const text = bytesOf(missing.map((line) => `${line}\n`).join(''));
  return [{ kind: 'own-lines', path, text, said: `${path}: this repository uses it` }];
}

function planAgent(found: Found, agent: FoundAgent, { project, trust }: Wishes): Plan {
  const { setup } = agent;
  const command = project ? projectCommand(setup.name) : userCommand(setup.name, found.places);
  const before = new Map<string, { path: string; named: string; text: string }>();
  const parts: Plan[] = [];
  for (const file of agent.files) {
    const edited = editedText(file, { command, before });
    if (file.hooks.asks !== undefined && !trust) {
      if (!stands(file, edited))
        parts.push({ changes: [], remarks: [`${setup.name}: ${file.hooks.asks}`], refusals: [] });
      continue;
    }
    if ('refused' in edited) {
      parts.push(refusal(file.path, edited.refused));
      break; // what comes next builds on it
    }
    before.set(file.hooks.name, { path: file.path, named: file.named, text: edited.text });
    parts.push(planFile(found, { setup, file, text: edited.text, project }));
  }
  const nowhere = project && agent.files.length === 0 && setup.hookFiles.length > 0;
  const remark = nowhere ? 'has no settings that a team commits; without --project it is set up for you' : setup.remark;
  const changed = parts.some(({ changes }) => changes.length > 0);
  const remarks = remark !== undefined && (changed || nowhere) ? [`${setup.name}: ${remark}.`] : [];
  return planned([...parts, { changes: [], remarks, refusals: [] }]);
}

function editedText(
  { hooks, file }: FoundHookFile,
  how: Parameters<typeof withHooks>[2],
): ReturnType<typeof withHooks> {
  const text = file.kind === 'none' ? undefined : textOf(file.text);
  const exact = text === undefined || (file.kind !== 'none' && bytesOf(text) === file.text);
  return exact ? withHooks(hooks, text, how) : { refused: 'it is not UTF-8' };
}

/** The user said yes before, here or in the agent. */
function stands({ file }: FoundHookFile, edited: ReturnType<typeof withHooks>): boolean {
  return file.kind !== 'none' && 'text' in edited && bytesOf(edited.text) === file.text;
}

function refusal(path: string, why: string): Plan {
  const said = `${path} was left alone: ${why}; mend it, then run git agent init again.`;
  return { changes: [], remarks: [], refusals: [said] };
}

interface PlannedFile {
  readonly setup: FoundAgent['setup'];
  readonly file: FoundHookFile;
  readonly text: string;
  readonly project: boolean;
}

function planFile(found: Found, { setup, file: { hooks, path, file }, text, project }: PlannedFile): Plan {
  if (file.kind !== 'none' && bytesOf(text) === file.text) return planned([]);
  const recorded = (project ? found.installed : found.userInstalled).files.find((entry) => entry.path === path);
  const ours = { agent: setup.name, ...(hooks !== setup.hookFiles[0] && { file: hooks.name }) };
  const changed: ChangedFile = {
    path,
    ours,
    before: originalOf(ours, file, recorded),
    after: bytesOf(text),
    kept: false,
  };
  const fresh = project ? 0o644 : 0o600;
  const mode = file.kind === 'none' ? (hooks.executable ? fresh | 0o111 : fresh) : file.mode;
  const level = project ? 'repository' : 'user';
  return planned([
    {
      changes: [{ kind: 'file', level, file: changed, mode, said: `${path}: hooks for ${setup.name}` }],
      remarks: [],
      refusals: [],
    },
  ]);
}

/** What stood there before us, also when an older version's hooks stand there now. */
function originalOf(
  ours: Exclude<Ours, 'block'>,
  file: FoundFile,
  recorded: RememberedFile | undefined,
): ChangedFile['before'] {
  if (file.kind === 'none') return file;
  const before = recorded && beforeOf(recorded, file);
  if (before !== undefined) return before;
  const without = withoutHooks(ours, textOf(file.text));
  if ('refused' in without) return { ...file, kind: 'file' };
  return without.text === undefined ? { kind: 'none' } : { kind: 'file', text: bytesOf(without.text), mode: file.mode };
}
