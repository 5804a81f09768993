import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandOf, filesOf, isEdit, isExecution } from '../../src/acp/call.ts';
import { Conversation, type Heard } from '../../src/acp/conversation.ts';
import { parseMessages } from '../../src/acp/message.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', 'fixtures', 'acp');

function listen(name: string): { heard: Heard[]; conversation: Conversation } {
  const conversation = new Conversation(['agent']);
  const lines = fs
    .readFileSync(path.join(FOLDER, `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter(Boolean);
  const heard = lines.flatMap((line) => {
    const { t, dir, m } = JSON.parse(line);
    if (m === undefined) return [];
    const side = dir === 'c2a' ? 'client' : 'agent';
    return parseMessages(Buffer.from(JSON.stringify(m))).flatMap((one) => conversation.hear(side, one, Date.parse(t)));
  });
  return { heard, conversation };
}

/** What was done, in short: `edit FILE`, `run COMMAND`. */
function deeds(heard: readonly Heard[]): string[] {
  return heard.flatMap((one) => {
    if (one.what !== 'call' || one.outcome !== 'done') return [];
    if (isExecution(one.call)) return [`run ${commandOf(one.call).slice(0, 6)}`];
    return isEdit(one.call) ? filesOf(one.call).map((file) => `edit ${file.replace('/repo/', '')}`) : [];
  });
}

const BASIC = ['edit src/greet.ts', 'run printf', 'edit src/app.ts'];

describe('what each agent did', () => {
  test.each([
    ['claude-agent-acp-0.99.1-basic', 'claude-code', BASIC],
    ['claude-code-acp-0.16.2-basic', 'claude-code', BASIC],
    ['codex-acp-2.6.0-basic', 'codex', BASIC],
    ['codex-acp-zed-0.16.0-basic', 'codex', BASIC],
    ['gemini-cli-0.61.0-basic', 'gemini-cli', BASIC],
    ['gemini-cli-0.61.0-basic-no-fs', 'gemini-cli', BASIC],
    ['opencode-1.18.33-basic', 'opencode', BASIC],
    // the new file fails, for the client has no answer that the agent understands
    ['gemini-cli-0.61.0-basic-missing-file-error', 'gemini-cli', BASIC.slice(1)],
    // its shell fails in the sandbox, and leaves no trace on the wire
    ['codex-acp-2.6.0-basic-read-only', 'codex', BASIC.filter((one) => !one.startsWith('run'))],
  ])('%s', (name, agent, expected) => {
    const { heard, conversation } = listen(name);
    expect(conversation.tool.name).toBe(agent);
    expect(deeds(heard)).toEqual(expected);
    expect(heard.filter(({ what }) => what === 'prompt')).toHaveLength(1);
    expect(heard.filter(({ what }) => what === 'turn')).toHaveLength(1);
  });

  test.each(fs.readdirSync(FOLDER).filter((name) => name.endsWith('-load.jsonl')))(
    '%s: history that is played again was recorded before',
    (name) => {
      const { heard } = listen(name.replace('.jsonl', ''));
      const done = deeds(heard);
      if (!name.startsWith('log-agent')) expect(done).toContain('edit src/config.ts');
      expect(done).not.toContain('edit src/greet.ts');
      expect(done).not.toContain('run printf');
    },
  );

  test('every call ends once, however often it is told', () => {
    for (const name of fs.readdirSync(FOLDER).filter((one) => one.endsWith('.jsonl'))) {
      const calls = listen(name.replace('.jsonl', '')).heard.flatMap((one) => (one.what === 'call' ? one.call.id : []));
      expect(new Set(calls).size, name).toBe(calls.length);
    }
  });
});

describe('logging', () => {
  test('all eight levels, for the connection and for a session', () => {
    const { heard, conversation } = listen('log-agent-basic-logging');
    const logs = heard.flatMap((one) => (one.what === 'log' ? [one.fields] : []));
    const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
    expect(new Set(logs.map(({ level }) => level))).toEqual(new Set(levels));
    expect(logs.some(({ sessionId }) => sessionId === undefined)).toBe(true);
    expect(logs.some(({ sessionId }) => typeof sessionId === 'string')).toBe(true);
    expect(conversation.logging).toBe(true);
  });

  test('a client that does not ask for it, and history, have none', () => {
    expect(listen('log-agent-two-turns').conversation.logging).toBe(false);
    expect(listen('log-agent-load').heard.some(({ what }) => what === 'log')).toBe(false);
  });
});

describe('what nobody should send', () => {
  test.each([
    'null',
    '[]',
    '"x"',
    '{"jsonrpc":"2.0"}',
    '{"method":5}',
    '{"id":{},"method":"session/prompt"}',
    '{"method":"session/update","params":null}',
    '{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"__proto__"}}}',
    '{"id":1,"result":{"sessionId":"never asked"}}',
    '{"method":"log","params":null}',
    '\0\xff not JSON',
    '['.repeat(5000),
  ])('%.60s is passed over', (line) => {
    const conversation = new Conversation(['agent']);
    const hear = () => parseMessages(Buffer.from(line, 'latin1')).flatMap((one) => conversation.hear('agent', one, 1));
    expect(hear().every(({ what }) => what === 'log')).toBe(true);
  });

  test('secrets in settings of servers are in nothing that is heard', () => {
    const conversation = new Conversation(['agent']);
    const servers = [{ name: 'x', command: 'y', args: [], env: [{ name: 'TOKEN', value: 'very-secret-value' }] }];
    const ask = { jsonrpc: '2.0', id: 1, method: 'session/new', params: { cwd: '/repo', mcpServers: servers } };
    const answer = { jsonrpc: '2.0', id: 1, result: { sessionId: 's' } };
    const prompt = {
      jsonrpc: '2.0',
      id: 2,
      method: 'session/prompt',
      params: { sessionId: 's', prompt: [{ type: 'text', text: 'go' }] },
    };
    const heard = [
      ['client', ask],
      ['agent', answer],
      ['client', prompt],
    ].flatMap(([side, message]) =>
      parseMessages(Buffer.from(JSON.stringify(message))).flatMap((one) => conversation.hear(side as 'client', one, 1)),
    );
    expect(JSON.stringify(heard)).not.toContain('very-secret-value');
    expect(heard).toEqual([{ what: 'prompt', session: 's', at: 1, text: 'go' }]);
  });
});
