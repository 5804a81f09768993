import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agent } from '../../src/commands/agent.ts';
import { printKey } from '../../src/seal/keys.ts';
import { serve } from '../forge/server.ts';
import { newPair, sealWith } from '../seal/ada.ts';
import { makeFolder } from '../support/repository.ts';
import { openWorkshop, Workshop } from '../support/workshop.ts';
import { inWorld } from './program.ts';

let shop: Workshop;
let [first, second] = ['', ''];
const clones: Workshop[] = [];

beforeAll(async () => {
  shop = await openWorkshop();
  shop.human('a.ts', 'const typed = 1;\n');
  first = shop.commit('typed');
  shop.prompt('add two, the password is password="hunter22"', 's1');
  shop.ai('a.ts', 'const typed = 1;\nconst agentTwo = 2;\nconst agentThree = 3;\n', 's1');
  shop.ai('=b.ts', 'const other = 4;\n', 's2');
  second = shop.commit('agents');
});
afterAll(() => {
  for (const one of [shop, ...clones]) one.remove();
});

/** The same commits somewhere else, with no notes and nothing recorded. */
function cloneOf(): Workshop {
  const dir = makeFolder('clone');
  shop.git('clone', '-q', shop.dir, dir);
  const clone = new Workshop(dir, makeFolder('home'));
  clones.push(clone);
  return clone;
}

function saved(name: string, content: string | Uint8Array): string {
  const file = path.join(shop.home, name);
  fs.writeFileSync(file, content);
  return file;
}

const told = async (one: Workshop) =>
  (await Promise.all(['a.ts', '=b.ts'].map((file) => one.json(file)))).map(({ lines }) =>
    lines.map(({ type, evidence, model, session, event, tool }) => ({ type, evidence, model, session, event, tool })),
  );

const sessionOf = (one: Workshop, agentName: string, id: string) =>
  JSON.parse(
    fs.readFileSync(path.join(one.common, 'agent', 'sessions', agentName, `${id}.agentlog.json`), 'utf8'),
  ) as Record<string, unknown>;

describe('what is pending is exported too, and nothing is written', () => {
  test('agent-trace of a range into another clone: the same blame', async () => {
    const { status, stdout, stderr } = await shop.agent('export', `${first}..${second}`);
    expect([status, stderr]).toEqual([0, '']);
    expect(shop.git('for-each-ref', 'refs/notes')).toBe('');
    expect((await shop.agent('validate', saved('t.jsonl', stdout))).status).toBe(0);
    const clone = cloneOf();
    expect(await clone.blame('a.ts')).toBe('uuu');
    await clone.agent('import', saved('t.jsonl', stdout));
    const there = (await told(clone)).map((lines) => lines.filter(({ type }) => type === 'ai'));
    const here = (await told(shop)).map((lines) => lines.filter(({ type }) => type === 'ai'));
    expect(there).toEqual(here);
    expect(here.flat()).toHaveLength(3);
    // and out again as it came
    expect((await clone.agent('export', `${first}..${second}`)).stdout).toBe(stdout);
  });

  test('a session: agentlog by default, redacted, with its commits; by its beginning and its address too', async () => {
    const { stdout } = await shop.agent('export', 's1');
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({ id: 's1', relationships: { commits: [{ sha: second }] } });
    expect(stdout).toContain('add two');
    expect(stdout).not.toContain('hunter22');
    expect((await shop.agent('validate', saved('s1.json', stdout))).status).toBe(0);
    expect((await shop.agent('export', 'agentlog:s1#x')).stdout).toBe(stdout);
    expect((await shop.agent('export', 'agentlog:s9')).status).toBe(2);
    const clone = cloneOf();
    await clone.agent('import', saved('s1.json', stdout));
    expect(sessionOf(clone, 'claude-code', 's1')).toEqual(document);
    expect(clone.notes(second, 'agent/log')).toMatchObject([{ id: 's1' }]);
    expect((await clone.agent('export', 's1')).stdout).toBe(stdout);
  });

  test('a session: what would move the cursor or turn text around is escaped, and nothing is lost', async () => {
    const words = 'paint \u009b31m \u007f and \u202eturn\u2069 \u2028 \u001b[2J';
    shop.prompt(words, 's-controls');
    for (const format of ['agentlog', 'agent_activity', 'otlp', 'vac']) {
      const { status, stdout } = await shop.agent('export', 's-controls', '--format', format, '--content');
      expect([format, status, stdout.match(/[^\n\x20-\x7e]/g)]).toEqual([format, 0, null]);
    }
    const { stdout } = await shop.agent('export', 's-controls');
    expect(JSON.parse(stdout).events[0].content).toBe(words);
  });

  test('a session: with the issues and pull requests that its notes tie it to, before they are written and after', async () => {
    const own = await openWorkshop();
    clones.push(own);
    own.ai('a.ts', 'const two = 2;\n', 's3');
    own.commit('add two (#7)\n\nFixes #5, part of ABC-9');
    const linksOf = async () => JSON.parse((await own.agent('export', 's3')).stdout).relationships;
    const before = await linksOf();
    await own.agent('work');
    const note = JSON.parse(own.git('notes', '--ref=agent/log', 'show', 'HEAD'));
    expect(note.relationships.issues).toMatchObject([{ id: '#5' }, { id: 'ABC-9' }]);
    expect(before).toMatchObject({
      issues: note.relationships.issues,
      pullRequests: note.relationships.pullRequests,
    });
    expect(await linksOf()).toEqual(before);
    // and what only a note tells
    const link = { ...note, relationships: { ...note.relationships, pullRequests: [{ number: 12 }] } };
    own.git('notes', '--ref=agent/log', 'append', '-m', JSON.stringify(link), 'HEAD');
    expect((await linksOf()).pullRequests).toMatchObject([{ number: 12 }, { number: 7 }]);
  });

  test.each([
    ['vac', 'vac.json'],
    ['vac-cbor', 'vac.cbor'],
  ])('%s carries session and lines there and back', async (format, name) => {
    const file = path.join(shop.home, name);
    const { status, stdout } = await shop.agent('export', 's1', '--format', format, '-o', file);
    expect([status, stdout]).toEqual([0, '']);
    expect((await shop.agent('validate', file)).stdout).toContain('conforms');
    const clone = cloneOf();
    const { stderr } = await clone.agent('import', file);
    expect(stderr).toContain('1 session, 1 record for 1 commit');
    expect(sessionOf(clone, 'claude-code', 's1')).toEqual(JSON.parse((await shop.agent('export', 's1')).stdout));
    expect(await clone.blame('a.ts')).toBe('uaa');
    expect((await clone.json('a.ts')).lines[1]).toEqual({
      ...(await shop.json('a.ts')).lines[1],
    });
    expect((await clone.agent('import', file)).stderr).toContain('2 known already');
  });

  test('a signed record is unwrapped: verified, not verified, or refused', async () => {
    const { stdout } = await shop.agent('export', 's1', '--format', 'vac');
    const pair = newPair('ssh-ed25519');
    const cose = sealWith(pair, Buffer.from(stdout.trim()), { form: 'attached', at: Date.now() - 1000 });
    const clone = cloneOf();
    const file = saved('record.cose', cose);
    expect((await clone.agent('import', '-n', file)).stderr).toContain(
      'signed, not verified: No line of the allowed signers',
    );
    clone.git('config', 'gpg.ssh.allowedSignersFile', saved('signers', `ada@example.com ${printKey(pair.key)}\n`));
    const bad = Buffer.from(cose);
    bad[bad.length - 1] = (bad[bad.length - 1] ?? 0) ^ 1;
    const refused = await clone.agent('import', saved('bad.cose', bad));
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('nothing was taken in')]);
    const good = await clone.agent('import', file);
    expect(good.stderr).toContain('signed by ada@example.com: verified');
    expect(await clone.blame('a.ts')).toBe('uaa');
    expect((await clone.agent('validate', file)).status).toBe(0);
  });

  test('agent_activity: there and back with what its nine types can say; what they cannot is told', async () => {
    const { stdout, stderr } = await shop.agent('export', 's1', '--format', 'agent_activity');
    expect(stderr).toContain('has no type for some events: ');
    const file = saved('activity.jsonl', stdout);
    expect((await shop.agent('validate', file)).status).toBe(0);
    const clone = cloneOf();
    expect((await clone.agent('import', file)).stderr).toContain('agent_activity.v1: 1 session');
    expect((await clone.agent('export', 's1', '--format', 'agent_activity')).stdout).toBe(stdout);
  });

  test('sessions of a range, one line each; CBOR holds one', async () => {
    const { stdout } = await shop.agent('export', 'HEAD', '--format', 'agentlog');
    const lines = stdout.split('\n').filter(Boolean);
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(['s1', 's2']);
    const many = await shop.agent('export', 'HEAD', '--format', 'vac');
    expect((await cloneOf().agent('import', saved('many.jsonl', many.stdout))).stderr).toContain('2 sessions');
    expect((await shop.agent('export', 'HEAD', '--format', 'vac-cbor')).status).toBe(2);
  });

  test('csv: a row for each run of lines, and no formula of a stranger', async () => {
    const { stdout } = await shop.agent('export', 'HEAD', '--format', 'csv');
    const rows = stdout.split('\n');
    expect(rows[0]).toMatch(/^commit,path,start,end,lines,type,/);
    expect(rows.find((row) => row.includes(',a.ts,'))).toContain(`${second},a.ts,2,3,2,ai,observed,note,claude-code,`);
    expect(rows.find((row) => row.includes('b.ts'))).toContain(`${second},"'=b.ts",1,1,1,ai`);
    const session = await shop.agent('export', 's2', '--format', 'csv');
    expect(session.stdout.split('\n').filter(Boolean)).toHaveLength(2);
  });

  test('what names nothing', async () => {
    const { status, stderr } = await shop.agent('export', 'nowhere');
    expect([status, stderr]).toEqual([2, expect.stringContaining('no session, no commit and no range')]);
    expect((await shop.agent('export', '--format', 'xml')).status).toBe(2);
    expect((await shop.agent('export', 's1', '-o', path.join(shop.home, 'no', '\0'))).status).not.toBe(0);
  });
});

describe('otlp', () => {
  test('to standard output, without what tools were given unless asked for', async () => {
    const { stdout } = await shop.agent('export', 's1', '--format', 'otlp');
    const { resourceSpans } = JSON.parse(stdout);
    expect(resourceSpans[0].scopeSpans[0].spans[0].name).toBe('invoke_agent claude-code');
    expect(stdout).not.toContain('agentTwo');
    expect((await shop.agent('validate', saved('o.json', stdout))).stdout).toContain('OTLP/JSON 1.x traces: conforms');
    expect((await shop.agent('export', 's1', '--format', 'otlp', '--content')).stdout).not.toBe(stdout);
  });

  test('to a collector: headers from the environment, its words told without them', async () => {
    let answer: { status: number; body: unknown } = { status: 200, body: {} };
    const seen: unknown[] = [];
    const server = await serve(({ headers, body }) => {
      seen.push([headers['x-key'], headers['content-type'], Array.isArray(body.resourceSpans)]);
      return answer;
    });
    const env = { ...process.env, HOME: shop.home, OTEL_EXPORTER_OTLP_HEADERS: 'X-Key=top%20secret' };
    const send = (endpoint: string) =>
      inWorld(agent, shop.dir, ['export', 's1', '--format', 'otlp', '--endpoint', endpoint], { home: shop.home, env });
    try {
      expect(await send(server.url)).toMatchObject({ status: 0, stdout: '' });
      expect(seen).toEqual([['top secret', 'application/json', true]]);
      expect(server.asked).toEqual(['POST /v1/traces']);
      answer = { status: 200, body: { partialSuccess: { rejectedSpans: '2', errorMessage: 'too old' } } };
      const partly = await send(`${server.url}/own/path?key=hidden`);
      expect([partly.status, partly.stderr]).toEqual([1, expect.stringContaining('2 spans were not taken: too old')]);
      expect(server.asked[1]).toBe('POST /own/path');
      answer = { status: 403, body: 'the key top secret is wrong\u001b[31m' };
      const refused = await send(`${server.url}/own/path?key=hidden`);
      expect(refused.status).toBe(3);
      expect(refused.stderr).toMatch(/did not take the spans: 403 /);
      for (const word of ['secret', 'hidden', '\u001b']) expect(refused.stderr).not.toContain(word);
      server.mishaps.push({ to: 'POST', status: 302, headers: { location: 'http://127.0.0.1:1/' } });
      expect((await send(server.url)).status).toBe(3);
    } finally {
      await server.close();
    }
    expect((await send(server.url)).stderr).toMatch(
      /cannot be reached: ECONNREFUSED; start the collector, or print the spans without --endpoint\.\n$/,
    );
    for (const headers of ['a=b\nc: d', 'a=%0d%0ac', 'a=\u20ac']) {
      const options = { home: shop.home, env: { ...env, OTEL_EXPORTER_OTLP_HEADERS: headers } };
      const args = ['export', 's1', '--format', 'otlp', '--endpoint', server.url];
      const { status, stderr } = await inWorld(agent, shop.dir, args, options);
      expect([status, stderr]).toEqual([2, expect.stringContaining('OTEL_EXPORTER_OTLP_HEADERS is not of the form')]);
    }
    expect((await send('ftp://x')).status).toBe(2);
    expect((await send('http://ada:pass@127.0.0.1')).status).toBe(2);
    expect((await shop.agent('export', 's1', '--endpoint', server.url)).status).toBe(2);
  });
});
