import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActivityEvent } from '../../src/activity/event.ts';
import { EVENT_TYPES } from '../../src/activity/event.ts';
import { parseEvent, parseStream } from '../../src/activity/parse.ts';
import { printEvent, printStream } from '../../src/activity/print.ts';
import { scrubEvent, withoutEmails } from '../../src/activity/scrub.ts';
import { RULES_SOURCE, validateEvent, validateStream } from '../../src/activity/validate.ts';
import { Fault } from '../../src/fault.ts';
import { classify } from '../../src/foreign/classify.ts';
import { CASES } from '../support/cases.ts';
import { events, pageExample } from './streams.ts';

function known(raw: string): ActivityEvent {
  const parsed = parseEvent(raw);
  if (parsed.kind === 'foreign') throw new Error(parsed.problem);
  return parsed.event;
}

const minimal = {
  schema_version: 'agent_activity.v1',
  event_id: 'e',
  event_type: 'tool.started',
  session: { id: 's' },
};
const line = (more: object) => JSON.stringify({ ...minimal, ...more });
const same = (text: string) => text;

describe('parseEvent', () => {
  it('reads the example of the page, and prints it as it was', () => {
    const raw = JSON.stringify(pageExample);
    expect(known(raw)).toEqual(pageExample);
    expect(printEvent(known(raw))).toBe(raw);
    expect(validateEvent(pageExample)).toEqual([]);
  });

  it('reads older shapes, and keeps what came beside what it is read as', () => {
    const old = { type: 'tool.finished', id: 'x', session_id: 's9', timestamp: '2026-05-25T10:00:00Z', extra: [1] };
    expect(known(JSON.stringify(old))).toEqual({
      ...old,
      schema_version: 'agent_activity.v1',
      event_id: 'x',
      event_type: 'tool.finished',
      session: { id: 's9' },
    });
    expect(known('{"event_type":"hook.blocked","session":"s"}')).toMatchObject({
      session: { id: 's' },
      event_id: expect.stringMatching(/^evt-[0-9a-f]{16}$/),
    });
  });

  it('does not read fields as what they are not', () => {
    const odd = { agent: 'x', attributes: [1], actor_chain: [1], team_id: 5, occurred_at: {} };
    expect(known(line({ ...odd, keep: 1 }))).toEqual({ ...minimal, keep: 1, 'git-agent-blame:as-it-came': odd });
  });

  it.each([
    ['not JSON', '{"event'],
    ['not an object', '[]'],
    ['no event type', '{"schema_version":"agent_activity.v1"}'],
    ['not of the schema agent_activity.v1', line({ schema_version: 'agent_activity.v2' })],
    ['no schema version', '{"type":"assistant"}'],
    ['nested deeper than 200', `{"type":${'['.repeat(300)}`],
  ])('says %s', (problem, raw) => {
    expect(parseEvent(raw)).toEqual({ kind: 'foreign', raw, problem });
  });

  it('reads a stream with blank lines, a mark at its start and Windows’ line ends, and keeps what is no event', () => {
    const { events: found, foreign } = parseStream(`\uFEFF${line({})}\r\n\r\n  \nhello\n${line({ event_id: 'f' })}`);
    expect(found.map((one) => one.event_id)).toEqual(['e', 'f']);
    expect(foreign).toEqual([{ kind: 'foreign', raw: 'hello', problem: 'not JSON' }]);
  });

  it('law: what is printed is read as it was', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 5 }), (all) => {
        const clean = all.map((one) => scrubEvent(one, same));
        const sound = clean.filter((one) => validateEvent(one).every((problem) => problem.kind === 'note'));
        const printed = printStream(sound);
        expect(parseStream(printed).events).toEqual(JSON.parse(JSON.stringify(sound)));
        expect(printStream(parseStream(printed).events)).toBe(printed);
      }),
    );
  });

  it('law: no bent or broken line breaks the reader', () => {
    const bent = fc
      .tuple(events, fc.nat(), fc.nat({ max: 20 }), fc.string({ maxLength: 5 }))
      .map(([event, at, length, text]) => {
        const raw = JSON.stringify(event);
        const from = at % raw.length;
        return raw.slice(0, from) + text + raw.slice(from + length);
      });
    fc.assert(
      fc.property(bent, (raw) => {
        const parsed = parseEvent(raw);
        expect(parsed.raw).toBe(raw);
        if (parsed.kind === 'event') expect(parseEvent(JSON.stringify(parsed.event)).kind).toBe('event');
        expect(validateStream(raw, 'core').conforms).toBe(false);
      }),
      { numRuns: CASES },
    );
  });
});

describe('validateEvent', () => {
  const problems = (more: object) =>
    validateEvent({ ...minimal, ...more }).map((one) => [one.kind, one.rule, one.path]);

  it.each([
    [{ schema_version: 'x' }, 'value', 'agent_activity.v1 session start schema_version', '/schema_version'],
    [{ event_id: undefined }, 'shape', 'agent_activity.v1 session start event_id', '/event_id'],
    [{ event_type: 7 }, 'shape', 'agent_activity.v1 session start event_type', '/event_type'],
    [{ event_type: 'prompt.x' }, 'note', 'agent_activity.v1 canonical families event_type', '/event_type'],
    [{ event_family: 'session' }, 'note', 'agent_activity.v1 session start event_family', '/event_family'],
    [{ session: undefined }, 'note', 'agent_activity.v1 session start session', '/session'],
    [{ session: {} }, 'shape', 'agent_activity.v1 session start session id', '/session/id'],
    [{ actor_chain: {} }, 'shape', 'agent_activity.v1 session start actor_chain', '/actor_chain'],
    [{ actor_chain: [{ type: 'god', id: 'x' }] }, 'value', 'agent_activity.v1 actor chain type', '/actor_chain/0/type'],
    [
      { actor_chain: [{ type: 'user', id: 'x', prompt: 'do it' }] },
      'value',
      'agent_activity.v1 actor chain prompt',
      '/actor_chain/0/prompt',
    ],
    [
      { attributes: { by: 'Ada <ada@example.com>' } },
      'value',
      'agent_activity.v1 compatibility rules by',
      '/attributes/by',
    ],
    [
      { attributes: { apiKey: 'hunter2hunter2' } },
      'value',
      'agent_activity.v1 compatibility rules apiKey',
      '/attributes/apiKey',
    ],
  ])('%j is a %s against %s', (more, kind, rule, path) => {
    expect(problems(more)).toContainEqual([kind, rule, path]);
  });

  it('takes the names that older events have, with a note for each', () => {
    const older = {
      schema_version: 'agent_activity.v1',
      type: 'session.started',
      id: 'l1',
      session_id: 'leg2',
      agent: { id: 'a' },
      source: { kind: 'c', name: 'n' },
    };
    const notes = validateEvent(older);
    expect(notes.map(({ kind, path }) => [kind, path])).toEqual([
      ['note', '/type'],
      ['note', '/id'],
      ['note', '/session_id'],
    ]);
    expect(validateStream(JSON.stringify(older), 'default').conforms).toBe(true);
    expect(classify(older)).toBe('agent-activity');
    expect(parseEvent(JSON.stringify(older))).toMatchObject({
      event: { event_type: 'session.started', event_id: 'l1', session: { id: 'leg2' }, session_id: 'leg2' },
    });
  });

  it('asks the scanner it is given', () => {
    const scrub = (text: string) => text.replaceAll('sk-1', '[REDACTED:api_key]');
    expect(validateEvent({ ...minimal, attributes: { note: 'sk-1' } }, { scrub })).toMatchObject([
      { path: '/attributes/note', message: 'must be scrubbed of secrets' },
    ]);
  });

  it('leaves counts, remotes, versions and what was scrubbed alone', () => {
    const attributes = {
      input_tokens: 5,
      token: '[REDACTED:api_key]',
      password: '***',
      remote: 'git@github.com:ada/x.git',
      package: 'react@18.2.0',
      decorator: '@Component.x',
    };
    expect(validateEvent({ ...minimal, attributes })).toEqual([]);
  });
});

describe('validateStream', () => {
  const all = EVENT_TYPES.map((type) => line({ event_type: type, source: {} }));

  it('says where its rules come from', () => {
    expect(validateStream(all.join('\n'), 'default').source).toBe(RULES_SOURCE);
    expect(RULES_SOURCE).toMatch(/public page/);
  });

  it('core asks for all nine, default does not', () => {
    expect(validateStream(all.join('\n'), 'core')).toMatchObject({
      events: 9,
      missing: [],
      problems: [],
      conforms: true,
    });
    const some = all.slice(0, 7).join('\n');
    expect(validateStream(some, 'core')).toMatchObject({
      missing: ['agent_run_audit.file_change', 'session.finished'],
      conforms: false,
    });
    expect(validateStream(some, 'default').conforms).toBe(true);
  });

  it('an event that breaks a rule covers nothing, and its line is named', () => {
    const report = validateStream(
      [...all.slice(1), '', line({ event_type: 'session.started', event_id: 1 })].join('\n'),
      'core',
    );
    expect(report.missing).toEqual(['session.started']);
    expect(report.problems).toMatchObject([
      { line: 10, path: '/event_id' },
      { line: 10, kind: 'note' },
    ]);
  });

  it('an empty stream conforms to nothing', () => {
    expect(validateStream('\n', 'default').conforms).toBe(false);
  });
});

describe('scrubEvent', () => {
  it('takes out addresses, secrets by name, prompts in chains, and what the scanner knows', () => {
    const event = known(
      line({
        developer: { id: 'ada@example.com' },
        attributes: {
          'ada@example.com': 1,
          'bob@example.com': 2,
          url: 'https://x.org/?u=ada%40example.com&v=1',
          auth_token: ['abcdef', { a: 'b' }],
          kept: 'sk-1 sk-2',
        },
        actor_chain: [{ type: 'user', id: 'ada', raw_prompt: 'do it' }],
      }),
    );
    expect(scrubEvent(event, (text) => text.replaceAll('sk-1', 'XX'))).toEqual({
      ...minimal,
      developer: { id: '[REDACTED:email]' },
      attributes: {
        '[REDACTED:email]': 1,
        '[REDACTED:email] 2': 2,
        url: 'https://x.org/?u=[REDACTED:email]&v=1',
        auth_token: ['[REDACTED:custom]', { a: '[REDACTED:custom]' }],
        kept: 'XX sk-2',
      },
      actor_chain: [{ type: 'user', id: 'ada', raw_prompt: '[REDACTED:custom]' }],
    });
  });

  it('refuses to print what was not scrubbed', () => {
    const leaking = { ...minimal, attributes: { by: 'ada@example.com' } };
    expect(() => printEvent(leaking)).toThrow(Fault);
    expect(() => printEvent(leaking)).toThrow(/compatibility rules by at \/attributes\/by/);
    expect(printEvent(scrubEvent(leaking, same))).toContain('[REDACTED:email]');
  });

  it('law: what was scrubbed once is scrubbed', () => {
    const mail = fc.tuple(
      fc.constantFrom('ada', 'ö.b', 'a+b', 'git'),
      fc.constantFrom('@', '%40'),
      fc.constantFrom('x.org', 'a.b.co', 'é.fr'),
    );
    const text = fc.array(
      fc.oneof(
        mail.map((parts) => parts.join('')),
        fc.constantFrom('@', '.', ' ', 'a', '%40', '['),
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(
        text.map((parts) => parts.join('')),
        (one) => {
          const once = withoutEmails(one);
          expect(withoutEmails(once)).toBe(once);
        },
      ),
    );
    fc.assert(
      fc.property(events, (event) => {
        const once = scrubEvent({ ...event, attributes: { ...event.attributes, who: 'ada@example.com' } }, same);
        expect(scrubEvent(once, same)).toEqual(once);
        expect(validateEvent(once).filter((problem) => /scrubbed/.test(problem.message))).toEqual([]);
      }),
    );
  });

  it('takes linear time', () => {
    const long = `${'a.'.repeat(200_000)}@${'b.'.repeat(200_000)}`;
    const start = performance.now();
    withoutEmails(long);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
