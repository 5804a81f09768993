import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

const shops: Workshop[] = [];
afterEach(() => {
  for (const shop of shops.splice(0)) shop.remove();
});

/** Two sessions: one is asked for a server and runs a command, the other writes a file by an unfriendly name. */
async function story(): Promise<Workshop> {
  const shop = await openWorkshop();
  shops.push(shop);
  shop.prompt('Write a Server, please');
  shop.ai('src/server.ts', 'export const port = 80;\n');
  shop.shell('cat src/server.ts > copy.txt');
  shop.prompt('something else \x1b]0;owned\x07', 's2');
  shop.ai('docs/a\x1b[31m.md', 'x\n', 's2');
  return shop;
}

interface Found {
  readonly time: string;
  readonly session: string;
  readonly agent: string;
  readonly event: string;
  readonly type: string;
  readonly text: string;
}

async function find(shop: Workshop, ...args: string[]): Promise<readonly Found[]> {
  const { status, stdout, stderr } = await shop.agent('sessions', '--json', ...args);
  expect([status, stderr]).toEqual([0, '']);
  const { schema, entries } = JSON.parse(stdout);
  expect(schema).toBe('git-agent-blame/entries@1');
  return entries;
}

const types = async (shop: Workshop, ...args: string[]) => (await find(shop, ...args)).map(({ type }) => type);

/** The stored document of a session, with all its times moved. */
function shift(shop: Workshop, session: string, year: string): void {
  const file = path.join(shop.common, 'agent/sessions/claude-code', `${session}.agentlog.json`);
  const text = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(file, text.replaceAll(/"20\d\d-(\d\d-\d\dT[\d:.]+Z")/g, `"${year}-$1`));
}

describe('git agent sessions finds entries', () => {
  it('the same before and after they were worked in', async () => {
    const shop = await story();
    const before = await find(shop, '--tool', 'claude-code');
    expect(before.map(({ session, type }) => [session, type])).toEqual([
      ['s1', 'message'],
      ['s1', 'fileOperation'],
      ['s1', 'terminalCommand'],
      ['s2', 'message'],
      ['s2', 'fileOperation'],
    ]);
    await shop.work();
    expect(await find(shop, '--tool', 'claude-code')).toEqual(before);
    expect(before[0]).toMatchObject({ agent: 'claude-code', text: 'Write a Server, please' });
  });

  it('by type, tool, path and words, and by all of them together', async () => {
    const shop = await story();
    await shop.work();
    expect(await types(shop, '--event', 'prompt')).toEqual(['message', 'message']);
    expect(await types(shop, '--event', 'terminal-command,prompt')).toEqual(['message', 'terminalCommand', 'message']);
    expect(await types(shop, '--tool', 'codex')).toEqual([]);
    expect(await types(shop, '--tool', 'CLAUDE*', '--event', 'fileOperation')).toHaveLength(2);
    expect(await types(shop, '--path', 'src/*.ts')).toEqual(['fileOperation', 'terminalCommand']);
    expect(await types(shop, '--path', 'copy.txt')).toEqual(['terminalCommand']);
    expect(await types(shop, '--path', './src/')).toEqual(['fileOperation', 'terminalCommand']);
    expect(new Set(await types(shop, '--tool', 'Write'))).toEqual(new Set(['fileOperation']));
    expect(await types(shop, '--text', 'server WRITE')).toEqual(['message']);
    expect(await types(shop, '--text', 'port = 80')).toEqual(['fileOperation']);
    expect(await types(shop, '--text', 'timestamp')).toEqual([]);
    expect(await types(shop, '--path', 'src', '--event', 'terminalCommand', '--text', 'cat')).toHaveLength(1);
    expect(await types(shop, '-n', '1', '--event', 'prompt')).toHaveLength(1);
    expect((await find(shop, '-n', '1', '--event', 'prompt'))[0]?.session).toBe('s2');
    expect(await types(shop, '-n', '0', '--event', 'prompt')).toEqual([]);
  });

  it('by time, in the words that git takes', async () => {
    const shop = await story();
    await shop.work();
    shift(shop, 's1', '2001');
    const sessions = async (...args: string[]) => new Set((await find(shop, ...args)).map(({ session }) => session));
    expect(await sessions('--since', '2 days ago')).toEqual(new Set(['s2']));
    expect(await sessions('--until', '2002-01-01')).toEqual(new Set(['s1']));
    expect(await sessions('--since', '2000-01-01', '--until', 'now')).toEqual(new Set(['s1', 's2']));
    expect(await sessions('--since', '2002-01-01', '--until', '2003-01-01')).toEqual(new Set());
  });

  it('prints time, session, event and a line that no terminal obeys', async () => {
    const shop = await story();
    await shop.work();
    const { stdout } = await shop.agent('sessions', '--event', 'prompt,fileOperation');
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}s1 {2}message {8}Write a Server, please$/);
    expect(lines[1]).toMatch(/ s1 {2}fileOperation {2}create src\/server\.ts$/);
    expect(stdout).not.toMatch(/[\x1b\x07]/);
    const nothing = await shop.agent('sessions', '--text', 'nobody said this');
    expect(nothing).toMatchObject({ status: 0, stdout: '', stderr: 'No recorded entry is like that.\n' });
  });

  it('says what is wrong with a call', async () => {
    const shop = await openWorkshop({ agents: false });
    shops.push(shop);
    const said = async (...args: string[]) => {
      const { status, stderr } = await shop.agent('sessions', ...args);
      return [status, stderr.replace(/^git agent: /, '')];
    };
    expect(await said('--event', 'toolcal')).toEqual([
      2,
      'There is no event of type toolcal: did you mean toolCall?\n',
    ]);
    expect(await said('--path', 'a[')).toEqual([2, '--path is no pattern: the [ is never closed (character 2).\n']);
    expect(await said('--tool', '')).toEqual([2, '--tool is no pattern: the pattern is empty (character 1).\n']);
    expect(await find(shop, '--since', 'yesterday')).toEqual([]);
    // git itself takes all of these for some time or other, and does not say so
    for (const odd of ['garbage', '', '2026', '2026-13-01', '2026-02-30 10:00']) {
      const example = 'say for example 2026-01-31, "2026-01-31 14:05", "2 weeks ago", yesterday or midnight.';
      expect(await said('--since', odd)).toEqual([2, `--since takes a date, not "${odd}": ${example}\n`]);
      expect(await said('--since', 'now', '--until', odd)).toEqual([
        2,
        expect.stringContaining(`--until takes a date,`),
      ]);
    }
  });

  it('passes over a document that is none any more', async () => {
    const shop = await story();
    await shop.work();
    fs.writeFileSync(path.join(shop.common, 'agent/sessions/claude-code/s2.agentlog.json'), '{"type":"message"');
    expect(await types(shop, '--event', 'prompt')).toEqual(['message']);
  });
});
