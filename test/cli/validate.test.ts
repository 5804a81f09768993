import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { agent } from '../../src/commands/agent.ts';
import { agentblameNotes, gitAiNote } from '../foreign/notes.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';
import { inWorld } from './program.ts';

// no repository is needed
const folder = makeFolder('validate');
afterAll(() => removeFolder(folder));

const FIXTURES = path.join(import.meta.dirname, '..', '..', 'fixtures');

const run = (...args: string[]) => inWorld(agent, folder, ['validate', ...args]);

function file(name: string, content: string | Uint8Array): string {
  fs.writeFileSync(path.join(folder, name), content);
  return name;
}

const record = (more: object = {}) => ({
  version: '0.1.0',
  id: '00000000-0000-4000-8000-000000000001',
  timestamp: '2026-01-02T00:00:00Z',
  files: [{ path: 'a.ts', conversations: [{ ranges: [{ start_line: 1, end_line: 2 }] }] }],
  ...more,
});

const session = {
  specVersion: '0.2.0',
  id: 's1',
  startTime: '2026-01-01T10:00:00Z',
  status: 'completed',
  agent: { name: 'cursor' },
  events: [] as unknown[],
};

const event = (type: string, more: object = {}) =>
  JSON.stringify({
    schema_version: 'agent_activity.v1',
    event_id: 'e',
    event_type: type,
    session: { id: 's' },
    ...more,
  });

describe('what conforms', () => {
  test.each([
    ['agentlog', JSON.stringify(session), 'AgentLog 0.2.0: conforms (1 part)'],
    [
      'trace.jsonl',
      `${JSON.stringify(record())}\n\n${JSON.stringify(record())}\n`,
      'Agent Trace 0.1.0: conforms (2 parts)',
    ],
    ['trace.json', JSON.stringify([record(), record()], null, 1), 'conforms (2 parts)'],
    ['activity', event('tool.started'), 'agent_activity.v1 (default profile): conforms'],
    ['git-ai', gitAiNote, 'git-ai authorship/3.0.0: conforms'],
    ['agentblame', JSON.stringify(agentblameNotes[1]), 'agentblame 1 and 2: conforms'],
  ])('%s', async (name, content, said) => {
    const { status, stdout, stderr } = await run(file(name, content));
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`${name}: `);
    expect(stdout).toContain(said);
  });

  test('the fixtures: what we print conforms, and of what was made to break rules each is named', async () => {
    expect((await run(path.join(FIXTURES, 'traces', 'own.jsonl'))).status).toBe(0);
    const { status, stdout } = await run(path.join(FIXTURES, 'agentlog', 'all-events.agentlog.json'));
    expect([status, stdout]).toEqual([1, expect.stringContaining('must be one of the twelve event types')]);
    expect((await run('--as', 'agent-trace', path.join(FIXTURES, 'traces', 'odd.jsonl'))).status).toBe(1);
  });
});

describe('what does not: which rule, where', () => {
  test('AgentLog, on the line of the value', async () => {
    const broken = { ...session, events: [{ type: 'message', id: 'e', timestamp: 'now', role: 'user', content: 'x' }] };
    const { status, stdout } = await run(file('a.json', JSON.stringify(broken, null, 2)));
    const line =
      JSON.stringify(broken, null, 2)
        .split('\n')
        .findIndex((text) => text.includes('"now"')) + 1;
    expect(status).toBe(1);
    expect(stdout).toContain('a.json: AgentLog 0.2.0: 1 rule broken');
    expect(stdout).toContain(
      `  a.json:${line}: /events/0/timestamp must be an RFC 3339 date-time [agentlog 3.2 message timestamp]`,
    );
  });

  test('Agent Trace, in JSON Lines and in a list', async () => {
    const wrong = record({ id: 7, '\u001b[31mx': 1 });
    const lines = await run(file('t.jsonl', `${JSON.stringify(record())}\n${JSON.stringify(wrong)}\n{"files":\n`));
    expect([lines.status, lines.stdout]).toEqual([1, expect.stringContaining('t.jsonl:2: /id ')]);
    expect(lines.stdout).toContain(
      't.jsonl:3: / must be JSON: the file ends too early: a value is missing here (column 10)',
    );
    const list = await run(file('t.json', JSON.stringify([record(), wrong], null, 2)));
    expect(list.stdout).toMatch(/t\.json:(?!1:)\d+: \/1\/id /);
    expect(list.stdout).not.toContain('\u001b');
  });

  test('agent_activity: the core profile, and where its rules come from', async () => {
    const name = file(
      'a.jsonl',
      `${event('session.started')}\n\n${event('tool.started', { attributes: { mail: 'ada@example.com' } })}\n`,
    );
    const { status, stdout } = await run(name);
    expect([status, stdout]).toEqual([1, expect.stringContaining('a.jsonl:3: /attributes/mail must be scrubbed')]);
    expect(stdout).toContain('These rules come from the public page of agent_activity.v1');
    const sound = file('b.jsonl', event('session.started'));
    expect((await run(sound)).status).toBe(0);
    const core = await run('--profile', 'core', sound);
    expect([core.status, core.stdout]).toEqual([
      1,
      expect.stringContaining('no sound event of the type session.finished'),
    ]);
  });

  test('a verifiable-agent-record, and notes of others', async () => {
    const vac = { version: '3.0.0', id: 'x', session: { 'session-id': 's', entries: [{ type: 'user' }] } };
    const { status, stdout } = await run(file('v.json', JSON.stringify(vac)));
    expect([status, stdout]).toEqual([1, expect.stringContaining('/session')]);
    expect(stdout).toContain('[vac ');
    const note = await run(file('n.json', JSON.stringify(agentblameNotes[2])));
    expect([note.status, note.stdout]).toEqual([1, expect.stringContaining('3 rules broken')]);
    expect(note.stdout).toContain('n.json:1: /attributions/2 must be a path in here, and its lines');
  });

  test('OTLP/JSON', async () => {
    const spans = [
      {
        traceId: '0'.repeat(32),
        spanId: 'ab'.repeat(8),
        name: 'x',
        startTimeUnixNano: '9',
        endTimeUnixNano: '8',
        kind: 'SPAN_KIND_INTERNAL',
      },
    ];
    const { status, stdout } = await run(
      file('o.json', JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })),
    );
    expect([status, stdout]).toEqual([1, expect.stringContaining('OTLP/JSON 1.x traces: 3 rules broken')]);
    expect(stdout).toContain('/resourceSpans/0/scopeSpans/0/spans/0/traceId must be 32 hex digits, not all zero');
    expect(stdout).toContain('must not be before the start');
  });

  test('git-ai: another version, a key of nobody, a range that goes backwards, on its line', async () => {
    const odd = gitAiNote
      .replace('authorship/3.0.0', 'authorship/9.9.9')
      .replace('---\n', 'b.ts\n  s_ffffffffffffff 1\n  abc1234 2-1\n---\n');
    const { status, stdout } = await run(file('n.txt', odd));
    const line = odd.split('\n').findIndex((text) => text.includes('2-1')) + 1;
    expect([status, stdout]).toEqual([1, expect.stringContaining('must be authorship/3.0.0, and is authorship/9.9.9')]);
    expect(stdout).toContain('the key s_ffffffffffffff is in none of sessions, humans and prompts');
    expect(stdout).toContain(`n.txt:${line}: / must be a path, or a key and its lines`);
    expect(stdout).toContain(`n.txt:${line - 1}: / the key s_ffffffffffffff`);
    const broken = await run('--as', 'git-ai', file('b.txt', gitAiNote.replace('"humans": {', '"humans": ')));
    const at = gitAiNote.split('\n').findIndex((text) => text.includes('"author"'));
    expect(broken.stdout).toContain(`b.txt:${at}: / must be JSON: `);
  });

  test('a document that is not even JSON: where it stops being it, once', async () => {
    const whole = JSON.stringify({ ...session, events: [{ type: 'message' }] }, null, 2);
    const cut = whole.replace('"s1",', '"s1"');
    const line = whole.split('\n').findIndex((text) => text.includes('startTime')) + 1;
    const said = `x.json:${line}: / must be JSON: a comma or } is missing here (column 3)`;
    for (const kind of ['agentlog', 'agent-trace', 'agent_activity', 'vac', 'otlp', 'agentblame']) {
      const { status, stdout } = await run('--as', kind, file('x.json', cut));
      expect([status, stdout]).toEqual([1, expect.stringContaining(said)]);
      expect(stdout.match(/must be JSON/g)).toHaveLength(1);
    }
    const unnamed = await run('x.json');
    expect([unnamed.status, unnamed.stdout]).toEqual([1, expect.stringContaining(said)]);
  });

  test('bytes that are no UTF-8, a profile of another format, a file that is null', async () => {
    const bytes = Buffer.from(JSON.stringify(session).replace('"s1"', '"s\u00ff"'), 'latin1');
    const { status, stdout } = await run('--as', 'agentlog', file('latin1.json', bytes));
    expect([status, stdout]).toEqual([1, expect.stringContaining('latin1.json:1: / must be UTF-8')]);
    expect((await run('--profile', 'core', file('a.json', JSON.stringify(session)))).status).toBe(2);
    expect((await run(file('null.json', 'null'))).stdout).toContain('it is JSON of no form that we know');
  });

  test('what is too broken to be recognised can be named', async () => {
    const name = file('x.json', '{"specVersion":"0.2.0"}');
    const { status, stdout } = await run(name);
    expect([status, stdout]).toEqual([1, expect.stringContaining('x.json: of no format that we know')]);
    expect(stdout).toContain('tried AgentLog, Agent Trace');
    expect((await run('--as', 'agentlog', name)).stdout).toContain('/id is required [agentlog 2 id]');
    const { stdout: cbor } = await run('--as', 'vac', file('x.cbor', Buffer.from([0xa1, 0x01, 0x61])));
    expect(cbor).toMatch(/must be CBOR: .* \(byte 2\)/);
    expect((await run('--as', 'git-ai', name)).status).toBe(1);
  });
});

describe('forms', () => {
  const broken = () => file('s.jsonl', `${JSON.stringify(record())}\n${JSON.stringify(record({ timestamp: 'x' }))}\n`);

  test('json, by its schema', async () => {
    const { status, stdout } = await run('--format', 'json', broken(), file('ok.json', JSON.stringify(session)));
    const told = JSON.parse(stdout);
    expect(status).toBe(1);
    expect(told).toMatchObject({ schema: 'git-agent-blame/validate@1', conforms: false });
    expect(told.files[0].problems).toEqual([
      { rule: 'agent-trace 6.1 timestamp', path: '/timestamp', message: expect.any(String), kind: 'value', line: 2 },
    ]);
    expect(told.files[1]).toMatchObject({ file: 'ok.json', format: 'AgentLog', conforms: true, parts: 1 });
    const schema = JSON.parse((await run('--schema')).stdout);
    expect(Object.keys(told.files[0]).sort()).toEqual([...schema.properties.files.items.required].sort());
  });

  test('sarif', async () => {
    const { stdout } = await run('--format', 'sarif', broken(), file('none.json', '{}'));
    const [one] = JSON.parse(stdout).runs;
    expect(one.results).toHaveLength(2);
    expect(one.results[0]).toMatchObject({ ruleId: 'agent-trace 6.1 timestamp', level: 'error' });
    expect(one.results[0].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 's.jsonl' },
      region: { startLine: 2 },
    });
    expect(one.tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(['agent-trace 6.1 timestamp', 'format']);
  });
});

test('exit codes: no file there, no file named', async () => {
  expect((await run('nowhere.json')).status).toBe(3);
  expect((await run()).status).toBe(2);
  expect((await run('--as', 'xml', 'x')).status).toBe(2);
  expect((await run('.')).status).toBe(2);
});
