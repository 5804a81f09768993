// node records.mjs: writes a record, and reads it back
import { buildRecords, contentHash, originsOf, parseNote, printRecord, validateRecord } from 'git-agent-blame';

const commit = 'c'.repeat(40);
const agent = { session: 's1', event: 'call-7', tool: { name: 'amp' }, model: 'anthropic/claude-opus-4-5-20251101' };
const origin = { type: 'ai', evidence: 'observed', agent };
const [record] = buildRecords({
  commit,
  vcs: { type: 'git', revision: commit },
  time: Date.UTC(2026, 0, 2),
  ownVersion: '0.1.0',
  files: [{ path: 'a.ts', blob: 'b'.repeat(40), runs: [{ start: 3, lines: ['const a = 1;'], origin }] }],
});
const note = printRecord(record); // one line of refs/notes/agent/trace

const { records } = parseNote([note]);
const by = originsOf(records, 'a.ts').at(3);
console.log(by.origin.type, by.origin.agent.model, by.url);
console.log(by.contentHash === contentHash(['const a = 1;']), validateRecord({ version: 1 }).length);
