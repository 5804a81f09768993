import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildPrograms, type Programs } from '../cli/program.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

const SHIM = path.join(import.meta.dirname, '..', '..', 'git-hooks', 'agent-hook');
// a mount of one's own needs the right to make one: in a container as root mostly, elsewhere mostly not
const CAN_MOUNT = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

let shop: Workshop;
let programs: Programs;
beforeAll(async () => {
  programs = await buildPrograms();
});
afterAll(() => programs.remove());
beforeEach(async () => {
  shop = await openWorkshop();
});
afterEach(() => shop.remove());

/** A story told by a shell in mounts of its own; every line that it prints on standard output, and nothing on the other. */
function inMounts(script: string): string[] {
  const payload = path.join(shop.home, 'payload.json');
  const file = path.join(shop.dir, 'a.txt');
  const content = 'person one\nagent two\n';
  const response = { type: 'update', filePath: file, content, structuredPatch: [], originalFile: 'person one\n' };
  const told = {
    session_id: 's1',
    transcript_path: shop.transcript('s1'),
    cwd: shop.dir,
    permission_mode: 'default',
    hook_event_name: 'PostToolUse',
    tool_name: 'Write',
    tool_use_id: 'toolu_late',
    tool_input: { file_path: file, content },
    tool_response: response,
  };
  fs.writeFileSync(payload, JSON.stringify(told));
  shop.tell('s1', 'toolu_late', 'Write', told.tool_input);
  shop.tellResult('s1', 'toolu_late', response);
  const words = `
    edit() { printf 'person one\\nagent two\\n' >a.txt; sh "$SHIM" claude-code event <"$PAYLOAD"; echo "hook $?"; }
    commit() { git add -A; git commit -q -m late; echo "commit $?"; }
    letters() { git-agent-blame --json a.txt | "$NODE" -pe 'JSON.parse(fs.readFileSync(0)).lines.map((l) => l.type[0]).join("")'; }
    letters_of() { git-agent-blame --json "$1" | "$NODE" -pe 'JSON.parse(fs.readFileSync(0)).lines.map((l) => l.type[0]).join("")'; }
  `;
  const { stdout, stderr } = spawnSync('unshare', ['-m', 'sh', '-c', `${words}\n${script}`], {
    cwd: shop.dir,
    encoding: 'utf8',
    env: {
      ...programs.env,
      HOME: shop.home,
      NODE: process.execPath,
      SHIM,
      PAYLOAD: payload,
      AGENT: path.join(shop.common, 'agent'),
      GIT: shop.common,
    },
  });
  expect(stderr).toBe('');
  return stdout.trimEnd().split('\n');
}

describe.skipIf(!CAN_MOUNT)('a disk (skipped where mounts cannot be made)', () => {
  beforeEach(async () => {
    shop.human('a.txt', 'person one\n').commit('start');
    await shop.work();
    shop.ai('early.txt', 'agent early\n');
  });

  test('agent/ is read-only: commits go on, blame answers from memory, join says why it cannot', () => {
    const said = inMounts(`
      mount --bind "$AGENT" "$AGENT"; mount -o remount,ro,bind "$AGENT"
      edit; commit; letters
      git-agent join 2>&1; echo "join $?"
      git-agent work; echo "work $?"
      umount "$AGENT"
      git-agent join 2>/dev/null; echo "join $?"
      letters; git notes --ref=agent/trace list | wc -l | tr -d ' '
    `);
    expect(said).toEqual([
      'hook 0',
      'commit 0',
      'ha',
      expect.stringMatching(
        /^git agent: \S.*cannot be written to \(EROFS\): check who may write there, and the space left\.$/,
      ),
      'join 3',
      'work 3',
      'join 0',
      'ha',
      '2',
    ]);
  });

  test('the whole git dir is read-only: blame answers', () => {
    const said = inMounts(`
      edit; commit
      mount --bind "$GIT" "$GIT"; mount -o remount,ro,bind "$GIT"
      letters; git-agent-blame a.txt >/dev/null; echo "blame $?"; git-agent status >/dev/null; echo "status $?"
    `);
    expect(said).toEqual(['hook 0', 'commit 0', 'ha', 'blame 0', 'status 0']);
  });

  test('no space is left: the commit goes on, nothing recorded before is lost, later all is completed', () => {
    const said = inMounts(`
      cp -a "$AGENT" "$HOME/saved"
      mount -t tmpfs -o size=1m,mode=700 tmpfs "$AGENT"; cp -a "$HOME/saved/." "$AGENT/"
      head -c 2000000 /dev/zero >"$AGENT/filler" 2>/dev/null
      edit; commit; letters; letters_of early.txt
      git-agent join 2>&1; echo "join $?"
      git-agent work; echo "work $?"
      rm "$AGENT/filler"
      letters; letters_of early.txt
      git-agent join 2>/dev/null; echo "join $?"
      letters; letters_of early.txt; git notes --ref=agent/trace list | wc -l | tr -d ' '
      find "$AGENT/payloads" -type f; find "$AGENT" -name 'lock*'
    `);
    expect(said).toEqual([
      'hook 0',
      'commit 0',
      'ha',
      'a',
      expect.stringMatching(/^git agent: \S.*cannot be written to \(ENOSPC\)/),
      'join 3',
      'work 3',
      'ha',
      'a',
      'join 0',
      'ha',
      'a',
      '2',
    ]);
  });
});

test('space that ends while the store is being written is said in one sentence', async () => {
  shop.ai('a.txt', 'agent one\n');
  shop.commit();
  // a file where a folder should be: any write there fails
  fs.writeFileSync(path.join(shop.common, 'agent', 'texts'), 'in the way');
  const { status, stderr } = await shop.agent('join');
  expect(stderr).toMatch(/^git agent: \S+ cannot be written to \(\w+\): .*\.\n$/);
  expect(status).toBe(3);
  fs.rmSync(path.join(shop.common, 'agent', 'texts'));
  await shop.work();
  expect(await shop.blame('a.txt')).toBe('a');
});

test.each([
  ['unset', undefined],
  ['empty', ''],
  ['nowhere', '/nowhere/at/all'],
])('HOME that is %s', (_, home) => {
  shop.human('a.txt', 'person one\n');
  shop.ai('a.txt', 'person one\nagent two\n');
  shop.commit();
  const env: NodeJS.ProcessEnv = { ...programs.env };
  delete env.HOME;
  if (home !== undefined) env.HOME = home;
  const run = (...args: string[]) => spawnSync(args[0] ?? '', args.slice(1), { cwd: shop.dir, env, encoding: 'utf8' });
  const first = run('git-agent-blame', '--json', 'a.txt');
  expect([first.status, first.stderr]).toEqual([0, '']);
  expect(JSON.parse(first.stdout).summary).toMatchObject({ ai: 1, human: 1 });
  expect(run('git-agent', 'work').status).toBe(0);
  expect(JSON.parse(run('git-agent-blame', '--json', 'a.txt').stdout).summary).toMatchObject({ ai: 1, human: 1 });
});

test.each(['not JSON', '[]', '{"hooks":7}', ''.padEnd(9, '{')])(
  'settings %j are refused and left as they are',
  async (text) => {
    const file = path.join(shop.home, '.claude', 'settings.json');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    const { status, stderr } = await shop.agent('init', '--agents', 'claude-code');
    expect([status, fs.readFileSync(file, 'utf8')]).toEqual([1, text]);
    expect(stderr).toMatch(/^git agent: \S.*settings\.json.*\n$/);
  },
);
