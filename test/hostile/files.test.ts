import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { agent } from '../../src/commands/agent.ts';
import { inWorld } from '../cli/program.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('a.txt', 'person one\n').commit();
});
afterEach(() => shop.remove());

const POLICY = '.agent-policy.json';

describe('a policy that is no plain file is refused, and never read', () => {
  const kinds: Record<string, (file: string) => void> = {
    'a link to a file of the user': (file) => fs.symlinkSync(path.join(shop.home, 'private.json'), file),
    'a pipe': (file) => execFileSync('mkfifo', [file]),
    'a folder': (file) => fs.mkdirSync(file),
    'two gigabytes of nothing': (file) => {
      fs.writeFileSync(file, '');
      fs.truncateSync(file, 2 ** 31);
    },
  };
  test.each(Object.keys(kinds))('%s', async (kind) => {
    fs.writeFileSync(path.join(shop.home, 'private.json'), '{"owned":"PRIVATE WORDS"}');
    kinds[kind]?.(path.join(shop.dir, POLICY));
    const { status, stdout, stderr } = await shop.agent('check', 'HEAD');
    expect(status).toBe(1);
    expect(stderr).toContain(POLICY);
    expect(stdout + stderr).not.toContain('PRIVATE WORDS');
  });

  test('one with keys of the prototype changes nothing', async () => {
    shop.human(POLICY, '{"__proto__":{"requireAttribution":"off"},"constructor":1}');
    expect((await shop.agent('check', 'HEAD')).status).toBe(1);
    expect(({} as Record<string, unknown>).requireAttribution).toBeUndefined();
  });
});

describe('links that somebody planted', () => {
  /** A file outside, and links to it under all the names that are written. */
  async function planted(names: readonly string[]): Promise<string> {
    const outside = path.join(shop.home, 'precious');
    fs.writeFileSync(outside, 'precious, and no line end');
    for (const name of names) {
      const link = path.join(shop.common, 'agent', name);
      fs.mkdirSync(path.dirname(link), { recursive: true });
      fs.rmSync(link, { force: true });
      fs.symlinkSync(outside, link);
    }
    shop.ai('a.txt', 'person one\nagent two\n');
    shop.commit();
    await shop.agent('work');
    return fs.readFileSync(outside, 'utf8');
  }

  test('in the store: what they lead to is neither replaced nor added to', async () => {
    const names = [
      'state.json',
      'sessions/claude-code/s1.agentlog.json',
      'commands.jsonl',
      'texts/pack',
      'texts/index',
    ];
    expect(await planted(names)).toBe('precious, and no line end');
  });

  test.each(['payloads', 'texts', 'sessions', 'timelines', 'hooks.log'])('%s is one: doctor names it', async (name) => {
    const link = path.join(shop.common, 'agent', name);
    const outside = path.join(shop.home, 'outside');
    fs.rmSync(link, { recursive: true, force: true });
    if (name.includes('.')) fs.writeFileSync(outside, '');
    else fs.mkdirSync(outside);
    fs.symlinkSync(outside, link);
    const { stdout } = await shop.agent('doctor');
    expect(stdout).toContain(`warn  links: ${link} is a link to ${outside}, which is followed\n`);
  });
});

test.each(['/dev/zero', '/', 'nowhere', 'a.txt'])(
  'a file that became a link to %s is blamed as git does, and the link not followed',
  async (to) => {
    shop.human('was.txt', 'one\ntwo\n').commit();
    fs.rmSync(path.join(shop.dir, 'was.txt'));
    fs.symlinkSync(to, path.join(shop.dir, 'was.txt'));
    const { lines } = await shop.json('was.txt');
    expect(lines.map(({ text, commit }) => [text, commit])).toEqual([[to, null]]);
  },
);

test('the report that pr leaves does not follow a link of the repository', async () => {
  const outside = path.join(shop.home, 'precious');
  fs.writeFileSync(outside, 'precious\n');
  const report = path.join(shop.dir, 'report.md');
  fs.symlinkSync(outside, report);
  shop.ai('a.txt', 'person one\nagent two\n');
  shop.git('commit', '-qam', 'second');
  const { stderr } = await inWorld(agent, shop.dir, ['pr', '--output', 'report.md'], {
    home: shop.home,
    env: { ...process.env, HOME: shop.home, AGENT_PR_BASE: 'HEAD^' },
  });
  expect(fs.readFileSync(outside, 'utf8')).toBe('precious\n');
  expect(fs.lstatSync(report).isFile(), stderr).toBe(true);
});

test('packs and everything under agent/ stay the owner’s alone after gc and audit, whatever the umask', async () => {
  const before = process.umask(0);
  try {
    shop.ai('a.txt', 'person one\nagent two\n');
    shop.commit();
    await shop.work();
    const pack = path.join(shop.home, 'pack');
    expect((await shop.agent('audit', 'HEAD', '--output', pack)).status).toBe(0);
    expect((await shop.agent('gc')).status).toBe(0);
    await shop.work();
    const loose = [path.join(shop.common, 'agent'), pack].flatMap((folder) =>
      ['.', ...fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })].filter(
        (name) => (fs.statSync(path.join(folder, name)).mode & 0o077) !== 0,
      ),
    );
    expect(loose).toEqual([]);
  } finally {
    process.umask(before);
  }
});

test('settings of agents are no programs: init gives no right to run them', async () => {
  const settings = path.join(shop.home, '.claude', 'settings.json');
  expect(fs.statSync(settings).mode & 0o111).toBe(0);
});

test('import: a session whose id leads elsewhere is stored below agent/', async () => {
  const before = fs.readdirSync(shop.home, { recursive: true, encoding: 'utf8' }).sort();
  const log = {
    specVersion: '0.2.0',
    id: '../../../../escaped',
    startTime: '2026-01-02T00:00:00.000Z',
    status: 'completed',
    agent: { name: '../../outside' },
    events: [],
  };
  const file = path.join(shop.home, 'x.json');
  fs.writeFileSync(file, JSON.stringify(log));
  await shop.agent('import', file);
  const now = fs.readdirSync(shop.home, { recursive: true, encoding: 'utf8' }).sort();
  expect(now.filter((name) => !before.includes(name))).toEqual(['x.json']);
  expect(fs.readdirSync(shop.dir).sort()).toEqual(['.git', 'a.txt']);
});

test.each([
  ['brackets', '['.repeat(1_000_000)],
  ['a bomb of objects', `${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}`],
  ['CBOR that promises four gigabytes', Buffer.from([0xd2, 0x84, 0x5a, 0xff, 0xff, 0xff, 0xff])],
  ['CBOR in a hundred thousand lists', Buffer.alloc(100_000, 0x81)],
])('import, validate and verify of %s say no', async (_, bytes) => {
  const file = path.join(shop.home, 'bomb');
  fs.writeFileSync(file, bytes);
  for (const verb of ['import', 'validate', 'verify']) {
    const { status, stderr, stdout } = await shop.agent(verb, file);
    expect([1, 2, 3], stderr + stdout).toContain(status);
  }
});

test('import of a device that has no end says how much is too much', async () => {
  const { status, stderr } = await shop.agent('import', '/dev/zero');
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^git agent: \/dev\/zero is larger than \d+ bytes\.\n$/)]);
});
