import fs from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { linkDocument } from '../../src/agentlog/link.ts';
import { printDocument } from '../../src/agentlog/print.ts';
import { openWorkshop } from '../support/workshop.ts';

const SCHEMA = `${process.env.SPECS ?? ''}/agentlog.schema.json`;
const PEERS = process.env.PEER_SAMPLES ?? '';
const FIXTURES = path.join(import.meta.dirname, '..', '..', 'fixtures');
const TRANSCRIPTS = [
  ...['claude-code/session.jsonl', 'codex/session.jsonl', 'gemini-cli/session.jsonl', 'copilot/cli.jsonl'],
  ...['pi/session.jsonl', 'droid/session.jsonl', 'qwen-code/session.jsonl', 'amp/thread.json'],
];

describe.skipIf(!fs.existsSync(SCHEMA))('AgentLog’s own JSON Schema (set SPECS to its folder)', () => {
  const check = () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    const validate = ajv.compile(JSON.parse(fs.readFileSync(SCHEMA, 'utf8')));
    return (text: string) => (validate(JSON.parse(text)) ? [] : validate.errors);
  };

  it('takes what our decoders make of transcripts, and what links say', async () => {
    const problemsOf = check();
    const shop = await openWorkshop({ agents: false });
    const files = TRANSCRIPTS.map((name) => path.join(FIXTURES, name));
    expect((await shop.agent('import', ...files)).status).toBe(0);
    const folder = path.join(shop.common, 'agent', 'sessions');
    const stored = fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.agentlog.json'));
    expect(stored.length).toBeGreaterThanOrEqual(TRANSCRIPTS.length);
    for (const name of stored)
      expect([name, problemsOf(fs.readFileSync(path.join(folder, name), 'utf8'))]).toEqual([name, []]);
    const link = linkDocument({
      ...{ session: 's', agent: { name: 'x' }, startTime: '2026-05-01T09:00:00Z', status: 'active' as const },
      ...{ commits: [{ sha: 'ab12' }], pullRequests: [{ number: 7 }], issues: [{ id: '#3' }], traceIds: ['t'] },
    });
    expect(problemsOf(printDocument(link))).toEqual([]);
    shop.remove();
  });

  const examples = fs.existsSync(PEERS) ? ['minimal', 'debugging', 'multi-agent'] : [];
  it.each(examples)('takes its example %s', (name) => {
    const text = fs.readFileSync(`${PEERS}/agentlog-example-${name}-session.json`, 'utf8');
    expect(check()(text)).toEqual([]);
  });
});
