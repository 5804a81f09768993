import { Fault } from '../fault.ts';
import { arrange, type KeyOrder } from '../json.ts';
import type { TraceRecord } from './record.ts';
import { validateRecord } from './validate.ts';

const CONTRIBUTOR: KeyOrder = { keys: ['type', 'model_id'] };
const RANGE: KeyOrder = {
  keys: ['start_line', 'end_line', 'content_hash', 'contributor'],
  inside: { contributor: CONTRIBUTOR },
};
const CONVERSATION: KeyOrder = {
  keys: ['url', 'contributor', 'ranges', 'related'],
  inside: { contributor: CONTRIBUTOR, ranges: RANGE, related: { keys: ['type', 'url'] } },
};
const RECORD: KeyOrder = {
  keys: ['version', 'id', 'timestamp', 'vcs', 'tool', 'files', 'metadata'],
  inside: {
    vcs: { keys: ['type', 'revision'] },
    tool: { keys: ['name', 'version'] },
    files: { keys: ['path', 'conversations'], inside: { conversations: CONVERSATION } },
  },
};

/** The record as one line of a note. We write nothing that the document does not allow. */
export function printRecord(record: TraceRecord): string {
  checkRecord(record);
  return JSON.stringify(arrange(record, RECORD));
}

export function checkRecord(record: TraceRecord): void {
  const [problem] = validateRecord(record);
  if (problem) {
    throw new Fault('bug', `a trace record breaks ${problem.rule} at ${problem.path}: ${problem.message}`, { problem });
  }
}
