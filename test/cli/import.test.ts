import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { agentblameNotes } from '../foreign/notes.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop({ agents: false });
});
afterEach(() => shop.remove());

/** Writes a file beside the work tree and imports it. */
function take(name: string, content: string | Buffer, ...options: string[]) {
  const file = path.join(shop.home, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
  return shop.agent('import', ...options, file);
}

const refs = () => shop.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/notes');

function traceOf(revision: string | undefined, [start, end]: readonly [number, number], more: object = {}) {
  return {
    version: '0.1.0',
    id: '00000000-0000-4000-8000-000000000001',
    timestamp: '2026-01-02T00:00:00Z',
    ...(revision && { vcs: { type: 'git', revision } }),
    tool: { name: 'cursor', version: '2.4.0' },
    files: [
      {
        path: 'a.ts',
        conversations: [
          {
            url: 'agentlog:conv-1',
            contributor: { type: 'ai', model_id: 'anthropic/claude-opus-4-5-20251101' },
            ranges: [{ start_line: start, end_line: end }],
          },
        ],
      },
    ],
    ...more,
  };
}

describe('Agent Trace', () => {
  let [before, commit] = ['', ''];
  beforeEach(() => {
    shop.human('a.ts', 'const first = 1;\n');
    before = shop.commit('first');
    shop.human('a.ts', 'const first = 1;\nconst second = 2;\nconst third = 3;\n');
    commit = shop.commit('second');
  });

  test('a complete record of its commit is kept byte for byte, and only once', async () => {
    const line = `{ "x-own": [1.0, 2],${JSON.stringify(traceOf(commit, [2, 3])).slice(1)}`;
    const first = await take('.agent-trace/traces.jsonl', `${line}\r\n\nnot JSON\n`);
    expect(first.status).toBe(0);
    expect(first.stderr).toContain('Agent Trace: 1 record for 1 commit\n  left out: 1 (not JSON)\n');
    expect(shop.git('notes', '--ref=agent/trace', 'show', commit)).toBe(line);
    expect(await shop.blame('a.ts')).toBe('uaa');
    expect((await shop.json('a.ts')).lines[1]).toMatchObject({ session: 'conv-1', evidence: 'declared' });
    const were = refs();
    const again = await take('again.json', JSON.stringify([JSON.parse(line)], null, 2));
    expect(again.stderr).toContain('Agent Trace: 1 known already');
    expect(refs()).toBe(were);
  });

  test('a producer that names the parent: the lines tell which commit it meant, and unknown fields stay', async () => {
    const record = traceOf(before, [2, 3], {
      version: '1.0',
      id: 'x',
      sig: 'abc',
      metadata: { 'com.example': { n: 1 } },
    });
    const { status, stderr } = await take('t.json', JSON.stringify(record, null, 2));
    expect(status).toBe(0);
    expect(stderr).toContain(`1 record named another revision, and went where the lines are: ${commit.slice(0, 10)}\n`);
    const [written] = shop.notes(commit) as unknown as Record<string, unknown>[];
    expect(written).toMatchObject({ version: '0.1.0', vcs: { type: 'git', revision: commit }, sig: 'abc' });
    expect(written?.metadata).toMatchObject({ 'com.example': { n: 1 } });
    expect(await shop.blame('a.ts')).toBe('uaa');
    const were = refs();
    expect((await take('t.jsonl', JSON.stringify(record))).stderr).toContain('1 known already');
    expect(refs()).toBe(were);
    const file = path.join(shop.home, 'note.json');
    fs.writeFileSync(file, shop.git('notes', '--ref=agent/trace', 'show', commit));
    expect((await shop.agent('validate', file)).status).toBe(0);
  });

  test('a second record with the id of another is told of, and both are kept', async () => {
    await take('t.json', JSON.stringify(traceOf(commit, [2, 3])));
    const { stderr } = await take('u.json', JSON.stringify(traceOf(commit, [2, 2])));
    const id = '00000000-0000-4000-8000-000000000001';
    expect(stderr).toContain(`\n  another record with the id ${id} says something else: both are kept\n`);
    expect(shop.notes(commit)).toHaveLength(2);
  });

  test('entries of no file are counted, and stay with a record that is completed; secrets in them do not', async () => {
    const record = traceOf(before, [2, 3]);
    const url = 'https://x.invalid/?t=ghp_0123456789abcdefghijABCDEFGHIJ012345';
    const odd = { path: '.shell-history', conversations: [{ url, ranges: [] }] };
    const { stderr } = await take('t.json', JSON.stringify({ ...record, files: [...record.files, odd] }));
    expect(stderr).toContain(' 1 files and 0 ranges are none of a repository: they are only kept\n');
    const written = shop.git('notes', '--ref=agent/trace', 'show', commit);
    expect(written).toContain('.shell-history');
    expect(written).not.toContain('ghp_');
  });

  test('of a record that is left out nothing is said to be kept', async () => {
    const odd = { path: '../../etc/passwd', conversations: [{ ranges: [{ start_line: 1, end_line: 1 }] }] };
    const { stderr } = await take('t.json', JSON.stringify({ ...traceOf(before, [2, 3]), files: [odd] }));
    expect(stderr).toContain('left out: 1 (the record speaks of no lines)');
    expect(stderr).not.toContain('kept');
  });

  test('what was placed is found again after a rewrite that nobody told of', async () => {
    await take('t.json', JSON.stringify(traceOf(before, [2, 3])));
    shop.git('reset', '-q', '--soft', before);
    shop.git('commit', '-q', '--amend', '-m', 'squashed elsewhere');
    expect(await shop.blame('a.ts')).toBe('uaa');
  });

  test('what belongs nowhere is left out with a reason, and nothing is written', async () => {
    const wrong = [traceOf('0'.repeat(40), [1, 1]), traceOf(undefined, [2, 3]), traceOf(commit, [7, 9])];
    const { status, stderr } = await take('t.json', JSON.stringify(wrong));
    expect(status).toBe(1);
    expect(stderr).toContain('nothing was taken in');
    expect(stderr).toContain('the revision that it names is not here');
    expect(stderr).toContain('say which with --commit');
    expect(stderr).toContain('no commit adds the lines that it speaks of');
    expect(refs()).toBe('');
    expect((await take('t.json', JSON.stringify(wrong[1]), '--commit', 'HEAD')).status).toBe(0);
    expect(await shop.blame('a.ts')).toBe('uaa');
  });

  test('revisions of other systems: with the commit that a person or a note names, or by the change', async () => {
    const of = (type: string, revision: string, id: string) =>
      JSON.stringify(traceOf(undefined, [2, 3], { vcs: { type, revision }, id }));
    const hg = of('hg', 'a1b2c3d4e5f6', '00000000-0000-4000-8000-00000000000a');
    expect((await take('hg.json', hg)).stderr).toContain('it names a revision of hg: say with --commit which commit');
    expect((await take('hg.json', hg, '--commit', commit)).status).toBe(0);
    expect(shop.notes(commit)).toMatchObject([
      {
        vcs: { type: 'git', revision: commit },
        metadata: { 'dev.git-agent-blame': { imported: { vcs: { type: 'hg', revision: 'a1b2c3d4e5f6' } } } },
      },
    ]);
    expect((await shop.json('a.ts')).lines[1]).toMatchObject({ type: 'ai', evidence: 'declared' });
    const header = shop.git('cat-file', 'commit', commit).replace('\n\n', '\nchange-id kkmpptxzrstu\n\n');
    const file = path.join(shop.home, 'commit');
    fs.writeFileSync(file, `${header}\n`);
    const changed = shop.git('hash-object', '-t', 'commit', '-w', file).trim();
    shop.git('reset', '-q', '--hard', changed);
    const jj = of('jj', 'kkmpptxz', '00000000-0000-4000-8000-00000000000b');
    expect((await take('jj.json', jj)).stderr).toContain('1 record for 1 commit');
    expect(shop.notes(changed)).toMatchObject([{ vcs: { revision: changed } }]);
    shop.git(
      'notes',
      '--ref=agent/trace',
      'add',
      '-f',
      '-m',
      of('svn', '42', '00000000-0000-4000-8000-00000000000c'),
      changed,
    );
    expect((await shop.json('a.ts')).lines[2]).toMatchObject({ type: 'ai', evidence: 'declared', via: 'note' });
  });

  test('notes of another ref, with what they hang on; a dry run writes nothing', async () => {
    const { vcs: _, ...homeless } = traceOf(commit, [2, 2]) as Record<string, unknown>;
    shop.git('notes', '--ref=agent-trace', 'add', '-m', JSON.stringify(homeless), commit);
    const were = refs();
    const dry = await shop.agent('import', '-n', 'refs/notes/agent-trace');
    expect(dry.stderr).toContain('1 record for 1 commit (nothing was written)');
    expect(refs()).toBe(were);
    await shop.agent('import', 'refs/notes/agent-trace');
    expect(await shop.blame('a.ts')).toBe('uau');
    expect((await shop.agent('import', 'refs/notes/nowhere')).status).toBe(3);
  });

  test('one that says it is ours and breaks a rule is a stranger\u2019s: what gets into the note conforms', async () => {
    const own = { 'dev.git-agent-blame': { schema: 1, commit, files: {} } };
    const odd = { ...traceOf(commit, [2, 3]), id: 7, timestamp: 'never', metadata: own };
    expect((await take('t.json', JSON.stringify(odd))).stderr).toContain('1 record for 1 commit');
    shop.human('note.jsonl', shop.git('notes', '--ref=agent/trace', 'show', commit));
    expect((await shop.agent('validate', 'note.jsonl')).stdout).toContain('Agent Trace 0.1.0: conforms');
    expect(await shop.blame('a.ts')).toBe('uaa');
  });

  test('secrets of strangers do not get into notes; hostile paths and names do no harm', async () => {
    const key = `sk-${'a1B2'.repeat(8)}`;
    const files = ['../../etc/passwd', '/etc/passwd', '__proto__', 'a.ts'].map((file) => ({
      ...traceOf(commit, [2, 2]).files[0],
      path: file,
    }));
    const record = traceOf(commit, [2, 2], {
      metadata: { note: `key ${key}`, __proto__: 1 },
      tool: { name: '\u001b[31mx' },
      files,
    });
    const { stderr } = await take('t.json', JSON.stringify(record));
    expect(stderr).toContain('left out: 1');
    const plainly = traceOf(commit, [2, 2], { metadata: { note: `key ${key}` } });
    const second = await take('t.json', JSON.stringify(plainly));
    expect(second.stderr).toContain('secrets were taken out of 1 record');
    expect(shop.git('notes', '--ref=agent/trace', 'show', commit)).not.toContain(key);
    expect(stderr).not.toContain('\u001b');
  });
});

describe('notes of other tools', () => {
  test('git-ai: lines, sessions and links; a second time nothing', async () => {
    const text = Array.from({ length: 12 }, (_, i) => `const line${i + 1} = ${i + 1};\n`).join('');
    shop.human('src/a.ts', text);
    const commit = shop.commit('one');
    const { gitAiNote } = await import('../foreign/notes.ts');
    const file = path.join(shop.home, 'note');
    fs.writeFileSync(file, gitAiNote);
    shop.git('notes', '--ref=ai', 'add', '-F', file, commit);
    const { status, stderr } = await shop.agent('import', 'refs/notes/ai');
    expect(stderr).toContain('refs/notes/ai: git-ai note: 2 sessions, ');
    expect(status).toBe(0);
    expect(await shop.blame('src/a.ts')).toBe('aaauahuaauuu');
    const line = (await shop.json('src/a.ts')).lines[0];
    expect(line).toMatchObject({ session: 'conv-1', evidence: 'declared', tool: { name: 'claude-code' } });
    expect(line?.model).toBe('anthropic/claude-opus-4-5-20251101');
    expect((await shop.agent('show', 'conv-2')).stdout).toContain('add it');
    expect(
      shop
        .notes(commit, 'agent/log')
        .map((one) => (one as unknown as { id: string }).id)
        .sort(),
    ).toEqual(['conv-1', 'conv-2']);
    const were = refs();
    expect((await shop.agent('import', 'refs/notes/ai')).stderr).toContain('known already');
    expect(refs()).toBe(were);
    // the note alone does not say what it is about
    const alone = await shop.agent('import', file);
    expect([alone.status, alone.stderr]).toEqual([1, expect.stringContaining('name it with --commit')]);
    expect((await shop.agent('import', '--commit', commit, file)).stderr).toContain('known already');
  });

  test('git-ai: a model by its models.dev id where the maker is plain, else by the name as it came', async () => {
    const models = ['claude-4.5-sonnet', 'claude-opus-4-5', 'gpt-5', 'gpt-5-high', 'gemini-2.5-pro', 'claude-opus'];
    shop.human('a.ts', models.map((model) => `const a = '${model}';\n`).join(''));
    const commit = shop.commit('one');
    const sessions = models.map((model, i) => [
      `s_0123456789abc${i}`,
      { agent_id: { tool: 'cursor', id: `conv-${i}`, model } },
    ]);
    const lines = sessions.map(([key], i) => `  ${key}::t_0123456789abcd ${i + 1}\n`).join('');
    const told = JSON.stringify({ schema_version: 'authorship/3.0.0', sessions: Object.fromEntries(sessions) });
    expect((await take('note', `a.ts\n${lines}---\n${told}`, '--commit', commit)).status).toBe(0);
    const found = (await shop.json('a.ts')).lines.map(({ model }) => model);
    const ids = [null, 'anthropic/claude-opus-4-5', 'openai/gpt-5', null, 'google/gemini-2.5-pro', null];
    expect(found).toEqual(ids);
    const kept = await shop.agent('export', 'conv-0');
    expect(JSON.parse(kept.stdout)).toMatchObject({ agent: { name: 'cursor', model: 'claude-4.5-sonnet' } });
    const [record] = shop.notes(commit) as unknown as Record<string, Record<string, unknown>>[];
    expect(record?.metadata?.['dev.git-agent-blame']).toMatchObject({
      git_ai: { models: { 'conv-0': 'claude-4.5-sonnet' } },
    });
  });

  test('agentblame, both versions', async () => {
    shop.human('src/a.ts', Array.from({ length: 12 }, (_, i) => `const line${i + 1} = ${i + 1};\n`).join(''));
    const commit = shop.commit('one');
    for (const version of [1, 2] as const) {
      const { status } = await take(`${version}.json`, JSON.stringify(agentblameNotes[version]), '--commit', commit);
      expect(status).toBe(0);
    }
    expect(await shop.blame('src/a.ts')).toBe('uaauuuuuuuuu');
  });
});

describe('sessions', () => {
  const document = {
    specVersion: '0.2.0',
    id: 'conv-9',
    startTime: '2026-01-01T10:00:00Z',
    status: 'completed',
    agent: { name: 'cursor', model: 'openai/gpt-5' },
    events: [
      { type: 'message', id: 'e1', timestamp: '2026-01-01T10:00:00Z', role: 'user', content: 'password="hunter22"' },
    ],
  };
  const stored = () =>
    fs.readFileSync(path.join(shop.common, 'agent', 'sessions', 'cursor', 'conv-9.agentlog.json'), 'utf8');

  test('AgentLog: stored redacted, tied to its commits, once', async () => {
    shop.human('a.ts', 'x\n');
    const sha = shop.commit();
    const whole = { ...document, relationships: { commits: [{ sha }, { sha: 'f'.repeat(40) }] }, 'x-own': 1 };
    expect((await take('s.agentlog.json', JSON.stringify(whole, null, 2))).stderr).toContain('AgentLog: 1 session\n');
    expect(stored()).not.toContain('hunter22');
    expect(JSON.parse(stored())).toMatchObject({ id: 'conv-9', 'x-own': 1 });
    expect(shop.notes(sha, 'agent/log')).toMatchObject([{ id: 'conv-9', events: [] }]);
    const [were, text] = [refs(), stored()];
    expect((await take('again.json', JSON.stringify(whole))).stderr).toContain('1 known already');
    expect([refs(), stored()]).toEqual([were, text]);
  });

  test('the metrics that a document states stay when it comes again with more events', async () => {
    const metrics = {
      ...{ messageCount: 1, toolCallCount: 9, filesTouchedCount: 0 },
      ...{ toolsUsed: ['Bash'], durationMinutes: 30 },
    };
    const events = [1, 2].map((minute) => ({
      ...{ type: 'message', role: 'user', content: 'x' },
      ...{ id: `e${minute}`, timestamp: `2026-01-02T00:0${minute}:00Z` },
    }));
    for (const count of [1, 2])
      await take('m.json', JSON.stringify({ ...document, id: 'm', metrics, events: events.slice(0, count) }));
    const { stdout } = await shop.agent('export', 'm');
    expect(JSON.parse(stdout)).toMatchObject({ metrics, events });
  });

  test('a document that breaks rules is mended, and nothing of it is lost', async () => {
    const events = [
      ...document.events,
      { type: 'message', id: 'e2', timestamp: 'yesterday', role: 'user', content: 'hi' },
      ...[null, 'said', 7],
    ];
    const broken = { ...document, specVersion: '0.1.0', startTime: 'soon', endTime: 'later', metrics: 7, events };
    expect((await take('s.json', JSON.stringify(broken))).status).toBe(0);
    const kept = JSON.parse(stored());
    expect(kept.events[1]).toMatchObject({ id: 'e2', timestamp: 'yesterday', content: 'hi' });
    expect(kept.properties['git-agent-blame:as-it-came']).toEqual({
      specVersion: '0.1.0',
      startTime: 'soon',
      endTime: 'later',
      metrics: 7,
      events: [null, 'said', 7],
    });
    fs.writeFileSync(path.join(shop.home, 'kept.json'), stored());
    expect((await shop.agent('sessions', '--json')).stdout).toContain('conv-9');
  });

  test('agent_activity.v1', async () => {
    const event = (id: string, type: string, attributes = {}) =>
      JSON.stringify({
        schema_version: 'agent_activity.v1',
        event_id: id,
        event_type: type,
        session: { id: 'conv-9' },
        agent: { id: 'cursor' },
        attributes,
      });
    const stream = [
      event('1', 'session.started'),
      event('2', 'tool.started', { tool_name: 'edit' }),
      '{"event_type":"session.finished"}',
      'noise',
    ];
    const { status, stderr } = await take('a.jsonl', stream.join('\n'));
    expect([status, stderr]).toEqual([0, expect.stringContaining('agent_activity.v1: 1 session\n')]);
    expect(stderr).toContain('1 event names no session');
    const { stdout } = await shop.agent('export', 'conv-9', '--format', 'agent_activity');
    const out = stdout.split('\n').filter(Boolean);
    expect(out.map((line) => JSON.parse(line))).toEqual(stream.slice(0, 2).map((line) => JSON.parse(line)));
  });

  test('integers that JSON.parse makes others of are told; a transcript in which nothing was said is a session', async () => {
    const large = JSON.stringify({ ...document, properties: { text: '9007199254740993' } }).replace(
      '"text":',
      '"n":[9007199254740993,-90071992547409931,9007199254740992,1.9007199254740993],"text":',
    );
    expect((await take('s.json', large)).stderr).toContain('2 numbers are beyond 2^53');
    const meta = { id: 'silent', timestamp: '2025-10-30T10:00:00.000Z', cwd: '/tmp/x', cli_version: '0.50.0' };
    const lines = [
      { timestamp: meta.timestamp, type: 'session_meta', payload: { ...meta, originator: 'codex_cli_rs' } },
      { timestamp: meta.timestamp, type: 'event_msg', payload: { type: 'token_count', info: null } },
    ];
    const { status, stderr } = await take('rollout.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
    expect([status, stderr]).toEqual([0, expect.stringContaining('transcript of codex: 1 session')]);
  });

  test('addresses of mail in agent_activity.v1 are not stored', async () => {
    const event = {
      ...{ schema_version: 'agent_activity.v1', event_id: '1', event_type: 'session.started' },
      ...{ session: { id: 'conv-9' }, agent: { id: 'cursor' }, developer: { id: 'joe@corp.example' } },
      ...{ attributes: { 'Owner joe@corp.example': 1, note: 'mail joe%40corp.example' } },
    };
    expect((await take('a.jsonl', JSON.stringify(event))).status).toBe(0);
    expect(stored()).not.toContain('corp.example');
    expect(JSON.parse(stored()).developer).toEqual({ id: '[REDACTED:email]' });
  });

  test('the link of a session says what the document and the commit message know', async () => {
    shop.human('a.ts', 'x\n');
    const sha = shop.commit('one, fixes #12 and PROJ-77 (#34)');
    const known = {
      parentSession: 'parentof',
      childSessions: ['subchild'],
      pullRequests: [{ number: 5 }],
      issues: [{ id: '99' }],
    };
    await take('s.json', JSON.stringify({ ...document, relationships: { commits: [{ sha }], ...known } }));
    expect(shop.notes(sha, 'agent/log')).toMatchObject([
      {
        relationships: {
          parentSession: 'parentof',
          childSessions: ['subchild'],
          pullRequests: [{ number: 34 }, { number: 5 }],
          issues: [{ id: '#12' }, { id: '99' }, { id: 'PROJ-77' }],
        },
      },
    ]);
  });

  test.each(['down.jsonl', '.cursor/projects/users-me-x/agent-transcripts/u1/u1.jsonl'])(
    'a transcript of Cursor without times, as %s: its words',
    async (name) => {
      const line = (role: string, ...content: object[]) => JSON.stringify({ role, message: { content } });
      const input = { path: '/Users/me/x/shows.txt', contents: 'One\n' };
      const transcript = [
        line('user', { type: 'text', text: '<user_query>\nList the shows\n</user_query>' }),
        line('assistant', { type: 'text', text: 'I list them.' }, { type: 'tool_use', name: 'Write', input }),
        line('assistant', { type: 'text', text: '[REDACTED]' }),
      ].join('\n');
      const { status, stderr } = await take(name, transcript);
      expect([status, stderr]).toEqual([0, expect.stringContaining('transcript of cursor: 1 session')]);
      const id = path.basename(name, '.jsonl');
      expect((await shop.agent('show', id)).stdout).toMatch(/List the shows[\s\S]*I list them\./);
    },
  );

  test('a transcript: its session, and the lines that it wrote', async () => {
    shop.human('a.ts', 'typed one\n');
    shop.commit('start');
    const full = path.join(shop.dir, 'a.ts');
    const text = 'typed one\nagent two\nagent three\n';
    shop.tell('s7', 'toolu_1', 'Write', { file_path: full, content: text });
    shop.tellResult('s7', 'toolu_1', {
      type: 'update',
      filePath: full,
      content: text,
      structuredPatch: [],
      originalFile: 'typed one\n',
    });
    const transcript = fs.readFileSync(shop.transcript('s7'), 'utf8');
    fs.rmSync(path.join(shop.home, '.claude'), { recursive: true });
    shop.human('a.ts', text);
    shop.commit('second');
    const { status, stderr } = await take('downloaded.jsonl', transcript);
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining('transcript of claude-code: 1 session, 1 commit joined\n'),
    ]);
    expect(await shop.blame('a.ts')).toBe('uaa');
    expect((await take('downloaded.jsonl', transcript)).stderr).toContain('0 commits joined, 1 known already');
  });
});

test.each([
  ['empty', '', 'the file is empty'],
  ['prose.md', '# Title\n\nSome words.\n', 'it is not JSON'],
  ['other.json', '{"a":1}', 'it is JSON of no form that we know'],
  ['bytes.cbor', Buffer.from([0xa1, 0x61]), 'its name says CBOR'],
])('%s is not understood: what was tried is said, and what to do', async (name, content, reason) => {
  const { status, stdout, stderr } = await take(name, content);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain(reason);
  expect(stderr).toContain('tried AgentLog, Agent Trace');
  expect(stderr).toMatch(/; git agent validate --as FORMAT says what is wrong with it\.\n$/);
  expect(stderr.split('\n')).toHaveLength(2);
  expect(fs.existsSync(path.join(shop.common, 'agent', 'sessions'))).toBe(false);
});

test('a file that is not there, and a folder', async () => {
  expect((await shop.agent('import', 'nowhere.json')).status).toBe(3);
  expect((await shop.agent('import', '.')).status).toBe(2);
  expect((await shop.agent('import')).status).toBe(2);
});
