/** `git-agent-blame/web`: reads traces and blames files without a git program, on isomorphic-git. */
export { Fault, type FaultCode } from '../fault.ts';
export type { ContributorType, Evidence, Via } from '../lines/origin.ts';
export type { TraceRecord } from '../trace/record.ts';
export { type Blame, type BlameLine, type BlameQuestion, blame } from './blame.ts';
export type { FileSystem, Place } from './repository.ts';
export { readTraces, type Traces, type TracesQuestion } from './traces.ts';
