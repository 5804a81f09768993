import { projectCommand, userCommand, withHooks, withoutHooks } from './agents.ts';
import { bytesOf, textOf } from './bytes.ts';
import type { Change, Plan } from './change.ts';
import { planned } from './change.ts';
import type { ChangedFile } from './installed.ts';
import { ownPaths } from './places.ts';
import type { Wishes } from './plan.ts';
import type { Found, FoundAgent } from './survey.ts';

/** The agents asked for; without words of the user those that are used on this machine. */
export function wantedAgents(found: Found, { agents }: Wishes): readonly string[] {
  return agents ?? found.agents.filter((agent) => agent.present).map((agent) => agent.setup.name);
}

export function planAgents(found: Found, wishes: Wishes): Plan {
  const wanted = wantedAgents(found, wishes);
  const parts = found.agents.map((agent) => {
    if (wanted.includes(agent.setup.name)) return planAgent(found, agent, wishes.project);
    const why = agent.present ? 'not asked for' : 'not found on this machine';
    const how = agent.present ? '' : `; git agent init --agents ${agent.setup.name} sets it up all the same`;
    return { changes: [], remarks: [`${agent.setup.name}: ${why}${how}.`], refusals: [] };
  });
  const user = wanted.length > 0 && !wishes.project;
  const shared = [...(user ? planShim(found) : []), ...(user || wishes.global ? planList(found) : [])];
  return planned([{ changes: shared, remarks: [], refusals: [] }, ...parts]);
}

function planShim({ places, shims, own }: Found): Change[] {
  const { userShim } = ownPaths(places, []);
  const text = shims.get('agent-hook') ?? '';
  const there = own.get(userShim);
  if (there !== undefined && there.kind !== 'none' && there.text === text && there.mode === 0o755) return [];
  return [{ kind: 'own-file', path: userShim, text, mode: 0o755, said: `${userShim}: what agents call` }];
}

/** Who needs what is set up for the user as a whole: it goes with the last one. */
function planList({ places, repositories }: Found): Change[] {
  if (repositories.includes(places.commonDir)) return [];
  const { repositories: path } = ownPaths(places, []);
  const text = bytesOf([...repositories, places.commonDir].map((line) => `${line}\n`).join(''));
  return [{ kind: 'own-file', path, text, mode: 0o600, said: `${path}: this repository uses it` }];
}

function planAgent(found: Found, agent: FoundAgent, project: boolean): Plan {
  const { setup, file, path } = agent;
  const text = file.kind === 'none' ? undefined : textOf(file.text);
  const command = project ? projectCommand(setup.name) : userCommand(setup.name, found.places);
  const exact = text === undefined || (file.kind !== 'none' && bytesOf(text) === file.text);
  const edited = exact ? withHooks(setup, text, command) : { refused: 'it is not UTF-8' };
  if ('refused' in edited) {
    return {
      changes: [],
      remarks: [],
      refusals: [`${path} was left alone: ${edited.refused}; mend it, then run git agent init again.`],
    };
  }
  if (edited.text === text) return { changes: [], remarks: [], refusals: [] };
  const level = project ? 'repository' : 'user';
  const recorded = (project ? found.installed : found.userInstalled).files.find((entry) => entry.path === path);
  const changed: ChangedFile = {
    path,
    ours: { agent: setup.name },
    before: originalOf(agent, recorded),
    after: bytesOf(edited.text),
    kept: false,
  };
  const mode = file.kind === 'none' ? (project ? 0o644 : 0o600) : file.mode;
  return {
    changes: [{ kind: 'file', level, file: changed, mode, said: `${path}: hooks for ${setup.name}` }],
    remarks: [],
    refusals: [],
  };
}

/** What stood there before us, also when an older version's hooks stand there now. */
function originalOf({ setup, file }: FoundAgent, recorded: ChangedFile | undefined): ChangedFile['before'] {
  if (file.kind === 'none') return file;
  if (recorded !== undefined && file.text === recorded.after) return recorded.before;
  const without = withoutHooks(setup.name, textOf(file.text));
  if ('refused' in without) return { ...file, kind: 'file' };
  return without.text === undefined ? { kind: 'none' } : { kind: 'file', text: bytesOf(without.text), mode: file.mode };
}
