import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
});
afterEach(() => shop.remove());

// put together here, so that no scanner takes this file for a leak
const KEY_BODY = 'MIIEowIBAAKCAQEAx3aX9kQm2Zr7uT1sV5bN8cD4fG6hJ0kL2mP3qR5tW7yZ9aB1';
const SECRETS = {
  github: `ghp_${'aB3dE5fG7h'.repeat(3)}Jk2Lm4`,
  anthropic: `sk-ant-api03-${'Zx9Yw8Vu7T'.repeat(9)}abc-_AA`,
  aws: `AKIA${'Q3R7TZ2XW6YB4MNP'}`,
  slack: `xoxb-${'123456789012'}-${'1234567890123'}-${'aBcDeFgHiJkLmNoPqRsTuVwX'}`,
  bearer: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'}`,
  private: KEY_BODY,
} as const;
const BLOCK = ['-----BEGIN RSA PRIVATE', `KEY-----\n${KEY_BODY}\n-----END RSA PRIVATE`, 'KEY-----'].join(' ');

const everything = [
  `export GITHUB_TOKEN=${SECRETS.github}`,
  `ANTHROPIC_API_KEY=${SECRETS.anthropic}`,
  `aws_access_key_id = ${SECRETS.aws}`,
  `slack ${SECRETS.slack}`,
  `curl -H "Authorization: Bearer ${SECRETS.bearer}" https://example.com`,
  BLOCK,
].join('\n');

/** Every stored byte outside `texts/`, which holds files as they are. */
function storedBytes(): string {
  const agent = path.join(shop.common, 'agent');
  const names = fs.readdirSync(agent, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => !name.startsWith('texts') && fs.statSync(path.join(agent, name)).isFile());
  const notes = ['agent/trace', 'agent/log'].map((ref) => {
    const list = shop.git('notes', `--ref=${ref}`, 'list').split('\n').filter(Boolean);
    return list.map((line) => shop.git('cat-file', 'blob', line.split(' ')[0] ?? '')).join('\n');
  });
  return [...files.map((name) => fs.readFileSync(path.join(agent, name), 'latin1')), ...notes].join('\n');
}

test('no secret of a payload or a transcript is stored anywhere', async () => {
  shop.prompt(`please use ${everything}`);
  shop.shell(`echo '${everything.replaceAll("'", '')}' >/dev/null; echo agent > made.txt`);
  // a command that is cut where it is stored, in the middle of a key
  shop.shell(`: ${'x'.repeat(3963)} ${SECRETS.github}; echo agent > late.txt`);
  const id = shop.ai('a.txt', 'agent one\n');
  shop.tellResult('s1', id, { type: 'create', stdout: everything });
  shop.tell('s1', 'toolu_env', 'mcp__x', { env: { TOKEN: 'plain-looking-value' }, text: everything });
  shop.commit(`change ${'x'.repeat(10)}`);
  await shop.work();
  const bytes = storedBytes();
  for (const [name, secret] of Object.entries(SECRETS)) {
    expect(bytes.includes(secret), name).toBe(false);
    expect(bytes.includes(secret.slice(0, 24)), `the beginning of ${name}`).toBe(false);
  }
  expect(bytes).not.toContain('plain-looking-value');
  expect(bytes).toContain('[REDACTED:');
  expect(fs.readdirSync(path.join(shop.common, 'agent', 'payloads'))).toEqual([]);
});
