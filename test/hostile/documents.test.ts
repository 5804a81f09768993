import fc from 'fast-check';
import { expect, test } from 'vitest';
import { activityOf } from '../../src/activity/from-session.ts';
import { printStream } from '../../src/activity/print.ts';
import type { AgentLogDocument } from '../../src/agentlog/document.ts';
import { mergeDocuments } from '../../src/agentlog/merge.ts';
import { parseDocument } from '../../src/agentlog/parse.ts';
import { printDocument } from '../../src/agentlog/print.ts';
import type { World } from '../../src/commands/command.ts';
import { type ForeignNote, readHoldings } from '../../src/commands/import-read.ts';
import { judgeSource } from '../../src/commands/validate-file.ts';
import { verdictsText } from '../../src/commands/validate-text.ts';
import { isBroken, printVerdictsJson } from '../../src/commands/validate-verdict.ts';
import { Fault } from '../../src/fault.ts';
import { importAgentblame } from '../../src/foreign/agentblame.ts';
import { completeRecord } from '../../src/foreign/amend.ts';
import { importGitAi, sessionsOfGitAi } from '../../src/foreign/import-git-ai.ts';
import { type Format, recognise } from '../../src/foreign/recognise.ts';
import { printTraces, tracesOf as spansOf } from '../../src/otlp/from-session.ts';
import { replaceKnown } from '../../src/redact/secrets.ts';
import { verifySeal } from '../../src/seal/verify.ts';
import { printRecord } from '../../src/trace/print.ts';
import type { TraceRecord } from '../../src/trace/record.ts';
import { validateRecord } from '../../src/trace/validate.ts';
import { vacOf } from '../../src/vac/from-agentlog.ts';
import { originalOf } from '../../src/vac/original.ts';
import { encodeVacCbor, printVacJson } from '../../src/vac/print.ts';
import { pageExample, session } from '../activity/streams.ts';
import { agentblameNotes, COMMIT, context, gitAiNote } from '../foreign/notes.ts';
import { AT, allow, newPair, sealWith } from '../seal/ada.ts';
import { CASES } from '../support/cases.ts';
import { allEvents, ownTraces } from '../vac/samples.ts';
import { bentBytes, bentValues } from './mutate.ts';

// Each format, bent by value and by byte, goes the whole way: recognised, judged, read, and written in every other format. Whatever comes,
// the answer is a verdict that names a place; CASES=100000 is the long run, of each.

/** The twelve types and two strangers, in two documents: short ones make more cases. */
const halves = [allEvents.events.slice(0, 7), allEvents.events.slice(7)].map((events) => ({ ...allEvents, events }));
const [short = allEvents, rest = allEvents] = halves;
const record = vacOf({ document: short, records: ownTraces.slice(0, 1) });
const came = ({ events, ...document }: AgentLogDocument) => ({
  ...document,
  events: events.map((event) => (event.type === 'opaque' ? event.raw : event)),
});
const stream = activityOf(session, { version: '1.0.0', scrub: replaceKnown }).events.slice(0, 5);
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const plainly = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const signer = newPair('ssh-ed25519');
const sealed = sealWith(signer, Buffer.from(printVacJson(record)), { form: 'attached' });

/** What each is made of: values of JSON, and bytes as they lie in a file. */
const KINDS: Readonly<Record<Format | 'otlp', { values?: readonly unknown[]; bytes: readonly Uint8Array[] }>> = {
  agentlog: {
    values: halves.map(came).map(plainly),
    bytes: [json(came(short)), Buffer.from(JSON.stringify(came(rest), null, 1))],
  },
  'agent-trace': {
    values: plainly([ownTraces[0], ownTraces.slice(0, 2)]) as unknown[],
    bytes: [json(ownTraces[0]), Buffer.from(ownTraces.map((one) => `${JSON.stringify(one)}\n`).join(''))],
  },
  'agent-activity': { values: [pageExample, stream.slice(0, 2)], bytes: [Buffer.from(printStream(stream))] },
  'vac-json': { values: [plainly(record)], bytes: [json(record)] },
  'vac-cbor': { bytes: [encodeVacCbor(record)] },
  'vac-signed': { bytes: [sealed] },
  'git-ai-note': { bytes: [Buffer.from(gitAiNote)] },
  'agentblame-note': { values: [agentblameNotes[1], agentblameNotes[2]], bytes: [json(agentblameNotes[2])] },
  otlp: {
    values: [plainly(spansOf([short], { version: '1.0.0', content: true }))],
    bytes: [json(spansOf([session], { version: '1.0.0' }))],
  },
};

/** Of the processor, in milliseconds: other programs may take their time. */
const MOST_TIME = 2000;
const MOST_MEMORY = 1024 * 1024 * 1024;
/** Without a wish the kinds share what one reader is given elsewhere. */
const EACH = process.env.CASES ? CASES : Math.ceil(CASES / Object.keys(KINDS).length);
/** Where other programs take theirs. */
const timeout = Math.max(CASES, 2000) * 200;

test.each(Object.entries(KINDS))('%s, bent', { timeout }, async (format, { values, bytes }) => {
  const texts = values && bentValues(values).map((text): Uint8Array => Buffer.from(text));
  const cases = texts ? fc.oneof(texts, bentBytes(bytes)) : bentBytes(bytes);
  // shown as text where it fails
  const shown = cases.map((input) => Buffer.from(input).toString('latin1'));
  const law = fc.asyncProperty(shown, async (input) => {
    const start = process.cpuUsage();
    await survive(Buffer.from(input, 'latin1'), format as Format | 'otlp');
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(MOST_TIME);
  });
  await fc.assert(law, { numRuns: EACH, endOnFailure: true });
  expect(process.memoryUsage().rss).toBeLessThan(MOST_MEMORY);
});

async function survive(bytes: Buffer, format: Format | 'otlp'): Promise<void> {
  const source = { name: 'x', bytes, modified: AT };
  const found = recognise(bytes, 'x');
  if (found.format === 'none') expect(found.reason).not.toBe('');
  const judged = await judgeSource(source, format, { profile: 'default' });
  const isText = format !== 'vac-cbor' && format !== 'vac-signed';
  const broken = judged.problems.filter(isBroken);
  if (!judged.conforms && judged.parts > 0) expect(broken).not.toEqual([]);
  const placed = ({ line, rule, message }: (typeof broken)[number]) =>
    isText ? (line ?? 0) > 0 : !rule.endsWith(' form') || /\(byte \d+\)$/.test(message);
  expect(broken.filter((one) => !placed(one))).toEqual([]);
  const verdict = { file: 'x', format, ...judged };
  expect([...verdictsText([verdict])].join('') + printVerdictsJson([verdict])).not.toContain('\u001b');
  if (format === 'vac-signed') refuse(bytes);
  if (format === 'otlp') return;
  const held = await readHoldings(NO_WORLD, source, format === 'vac-signed' ? 'vac-cbor' : format);
  for (const { record, raw } of held.traces) {
    const whole = completeRecord(record, raw, HOME);
    if (validateRecord(whole).length === 0) printRecord(whole);
  }
  for (const document of held.documents)
    writeAll(
      document,
      held.traces.map((one) => one.record),
    );
  for (const note of held.notes) writeNote(note);
}

/** Only what asks whose signature it is needs one. */
const NO_WORLD = undefined as unknown as World;
const HOME = { commit: COMMIT, time: AT, findFile: context({ 'a.ts': {} }).findFile };

const signers = allow(signer);

function refuse(cose: Uint8Array): void {
  const { ok } = verifySeal({ cose, signers, now: AT });
  if (ok) expect(Buffer.compare(cose, sealed)).toBe(0);
}

/** In every format that has a session, and as a session again. */
function writeAll(document: AgentLogDocument, records: readonly TraceRecord[]): void {
  const printed = printDocument(document);
  const again = parseDocument(printed);
  expect(again.kind === 'document' && printDocument(again.document)).toBe(printed);
  printDocument(mergeDocuments(document, document));
  const original = originalOf(document, records);
  const told = original?.record ?? vacOf({ document, records });
  orRefused(() => printVacJson(told));
  orRefused(() => encodeVacCbor(told, original?.marks));
  printStream(activityOf(document, { version: '1.0.0', scrub: replaceKnown }).events);
  printTraces(spansOf([document], { version: '1.0.0', content: true }));
}

/** A record goes deeper than its session, and CBOR knows no half of a letter. */
function orRefused(write: () => unknown): void {
  try {
    write();
  } catch (error) {
    expect(error instanceof Fault && error.message).toMatch(/no Unicode text|nested deeper/);
  }
}

function writeNote(one: ForeignNote): void {
  const where = context({ 'src/a.ts': {}, 'my file.ts': {} });
  if (one.kind === 'agentblame') importAgentblame(one.note, where).records.map(printRecord);
  else {
    importGitAi(one.note, where).records.map(printRecord);
    for (const document of sessionsOfGitAi(one.note, where)) writeAll(document, []);
  }
}
