/** `git-agent-blame`: the formats and the rules, without git and without a disk. Everything is pure and runs anywhere. */

// Who wrote a line, and how that is known.
export {
  type AnnotatedLine,
  annotate,
  type Found,
  type Knowledge,
  type RecordBook,
  type Summary,
  summarise,
} from './blame/annotate.ts';
export { jsonLine, SCHEMA as BLAME_SCHEMA } from './blame/json.ts';
export { openRecords, type RecordSources } from './blame/records.ts';
export { Fault, type FaultCode } from './fault.ts';
// Lines and their hashes.
export { contentHash, lineHash } from './lines/hash.ts';
export {
  type AgentRef,
  type ContributorType,
  EVIDENCE,
  type Evidence,
  type Origin,
  type ToolInfo,
  type Via,
} from './lines/origin.ts';
export { type Lines, readable, splitBytes, splitString } from './lines/text.ts';
// Figures.
export { DIMENSIONS, type Dimension, type Group, type Report, type ReportedFile, reportOf } from './report/report.ts';
export type { Excluded, ReportedCommit, Run, Scope, Survey } from './report/run.ts';
export type { Counts } from './report/tally.ts';
export type { Problem } from './shape.ts';
// Agent Trace records.
export { type AttributedRange, attributionsOf } from './trace/attribution.ts';
export { buildRecords, type OriginFile, type OriginRun, type TraceInput } from './trace/build.ts';
export { type ConversationRef, conversationUrl, parseConversationUrl } from './trace/conversation.ts';
export { type Cover, type Covered, originsOf, standing } from './trace/covers.ts';
export { hashVerdict } from './trace/hashes.ts';
export { type ParsedNote, type ParsedRecord, parseNote, parseRecord } from './trace/parse.ts';
export { printRecord } from './trace/print.ts';
export type {
  Contributor,
  TraceConversation,
  TraceFile,
  TraceRange,
  TraceRecord,
  TraceTool,
  Vcs,
} from './trace/record.ts';
export { validateRecord } from './trace/validate.ts';
