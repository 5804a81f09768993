import type { AgentAdapter, Surroundings } from '../adapter.ts';
import { decodeHook } from './hook.ts';
import { dataFolder, locate } from './locate.ts';
import { npmSettings } from './npm-settings.ts';
import { plugin } from './plugin.ts';
import { decodeTranscript } from './transcript.ts';

/** What tells one descendant of opencode from another. */
export interface Member {
  /** Of the agent, of its folders and of its database. */
  readonly name: string;
  /** The variable that names another database. */
  readonly database: string;
  /** What the user should know. */
  readonly remark?: string;
}

export function memberAdapter(member: Member): AgentAdapter {
  return {
    name: member.name,
    decodeTranscript: (file) => decodeTranscript(member.name, file),
    decodeHook: (payload, fact) => decodeHook(member.name, payload, fact),
    locate: (place) => locate(member, place),
    home: (place: Surroundings) => dataFolder(member.name, place),
    hookFiles: [plugin(member.name), npmSettings(member.name)],
    ...(member.remark !== undefined && { remark: member.remark }),
  };
}
