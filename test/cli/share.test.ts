import fs from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { agent } from '../../src/commands/agent.ts';
import type { World } from '../../src/commands/command.ts';
import { sourcesIn } from '../../src/commands/mcp-sources.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder, makeRepository, type TestRepository } from '../support/repository.ts';
import { openWorkshop, Workshop } from '../support/workshop.ts';

import { inWorld } from './program.ts';

const KEY = `sk-${'a1B2c3D4'.repeat(4)}`;
const made: (Workshop | TestRepository)[] = [];
afterEach(() => {
  for (const one of made.splice(0)) one.remove();
});

/** Ada, who has an agent write a file, and a hub that she pushes to. */
async function story(): Promise<{ ada: Workshop; hub: TestRepository }> {
  const hub = makeRepository({ bare: true });
  const ada = await openWorkshop();
  made.push(hub, ada);
  ada.git('remote', 'add', 'origin', hub.dir);
  ada.prompt(`Use the key ${KEY} and write a.ts`, 'session-one');
  ada.ai('a.ts', 'from the agent\n', 'session-one');
  ada.commit('first');
  ada.git('push', '-q', '--no-verify', 'origin', 'HEAD:main');
  return { ada, hub };
}

/** A colleague who records nothing. */
function colleague(hub: TestRepository): Workshop {
  const folder = makeFolder('colleague');
  hub.git('clone', '-q', hub.dir, `${folder}/work`);
  const shop = new Workshop(`${folder}/work`, makeFolder('home'));
  made.push(shop);
  shop.git('config', 'user.name', 'Grace');
  return Object.assign(shop, {
    remove: () => {
      removeFolder(folder);
      removeFolder(shop.home);
    },
  });
}

const shelf = (git: (...args: string[]) => string, ref = 'refs/agent/sessions') =>
  git('ls-tree', '-r', '--name-only', ref).split('\n');

describe('git agent share', () => {
  it('shows with --dry-run the very bytes that it would publish, and what was taken out', async () => {
    const { ada } = await story();
    await ada.work();
    const refs = ada.git('for-each-ref');
    const { status, stdout, stderr } = await ada.agent('share', 'session-one', '--dry-run');
    expect(status).toBe(0);
    expect(stderr).toMatch(/^Would share session-one \(claude-code\): \d+ events, [\d,]+ bytes; redacted: 1 api_key/);
    expect(stdout).toContain('[REDACTED:api_key]');
    expect(stdout).not.toContain(KEY);
    expect(ada.git('for-each-ref')).toBe(refs);
    expect((await ada.agent('share', 'session-one')).stderr).toMatch(
      /^Shared session-one .*\ngit agent push publishes/,
    );
    expect(`${ada.git('show', 'refs/agent/sessions:claude-code/session-one.agentlog.json')}\n`).toBe(stdout);
  });

  it('redacts again what was stored before the table knew it, and writes the home folder as ~', async () => {
    const { ada } = await story();
    await ada.work();
    const { readFileSync, writeFileSync } = await import('node:fs');
    const file = `${ada.common}/agent/sessions/claude-code/session-one.agentlog.json`;
    const tampered = readFileSync(file, 'utf8').replace('[REDACTED:api_key]', `${KEY} in ${ada.home}/notes.txt`);
    writeFileSync(file, tampered);
    const { stdout, stderr } = await ada.agent('share', 'session-one', '-n');
    expect(stdout).not.toContain(KEY);
    expect(stdout).not.toContain(ada.home);
    expect(stdout).toContain('[REDACTED:api_key] in ~/notes.txt');
    expect(stderr).toContain('your home folder is written as ~');
  });

  it('takes the beginning of an id, --all, and says what it does not know', async () => {
    const { ada } = await story();
    expect((await ada.agent('share', 'session-o')).status).toBe(0);
    expect((await ada.agent('share', '--all')).stderr).toMatch(/^Nothing new to share of session-one/);
    expect(await ada.agent('share', 'nobody')).toMatchObject({
      status: 2,
      stderr: 'git agent: The session nobody is not recorded in this repository: git agent sessions lists.\n',
    });
    expect((await ada.agent('share')).status).toBe(2);
    expect((await ada.agent('share', 'a', '--all')).status).toBe(2);
  });

  it('a later version of a session is merged into what is there', async () => {
    const { ada } = await story();
    await ada.agent('share', 'session-one');
    const first = ada.git('rev-parse', 'refs/agent/sessions');
    ada.prompt('And now b.ts', 'session-one');
    expect((await ada.agent('share', 'session-one')).stderr).toMatch(/^Shared session-one/);
    expect(ada.git('rev-parse', 'refs/agent/sessions^')).toBe(first);
    const text = ada.git('show', 'refs/agent/sessions:claude-code/session-one.agentlog.json');
    expect(text).toContain('And now b.ts');
    expect(text).toContain('write a.ts');
  });
});

describe('the preview on a terminal', () => {
  it('marks what was taken out, and shows as letters what the terminal would obey', async () => {
    const { ada } = await story();
    ada.prompt('press \u009b31m and \u202e', 'session-one');
    const shown: string[] = [];
    const out = { isTTY: true, columns: 80, write: async (text: string | Uint8Array) => void shown.push(String(text)) };
    const env = { ...process.env, HOME: ada.home, GIT_PAGER: 'cat', NO_COLOR: undefined, TERM: 'xterm' };
    const world = { home: ada.home, env, out };
    const { status } = await inWorld(agent, ada.dir, ['share', 'session-one', '-n'], world);
    expect(status).toBe(0);
    expect(shown.join('')).toContain('\u001b[31m[REDACTED:api_key]\u001b[0m');
    expect(shown.join('')).toContain('press <9b>31m and <U+202E>');
  });

  it('the same in a repository of SHA-256', async () => {
    const ada = await openWorkshop({ objectFormat: 'sha256' });
    made.push(ada);
    ada.prompt('hello', 's1');
    expect((await ada.agent('share', 's1')).stderr).toMatch(/^Shared s1/);
    expect(shelf((...args) => ada.git(...args))).toEqual(['claude-code/s1.agentlog.json']);
    expect(ada.git('fsck', '--strict', '--no-dangling')).toBe('');
  });
});

describe('shared sessions', () => {
  it('are pushed with the notes and found by a colleague, by their id and behind a line', async () => {
    const { ada, hub } = await story();
    expect((await ada.agent('push')).stderr).toBe('Pushed notes to origin.\n');
    expect(hub.git('for-each-ref', 'refs/agent')).toBe('');
    await ada.agent('share', 'session-one');
    expect((await ada.agent('push', '-n')).stderr).toBe('Would push notes and 1 shared session to origin.\n');
    expect((await ada.agent('push')).stderr).toBe('Pushed notes and 1 shared session to origin.\n');
    expect((await ada.agent('push')).stderr).toBe('origin has all our notes already.\n');
    const grace = colleague(hub);
    const FETCH = 'a colleague may have shared it: git agent fetch looks';
    expect(await grace.agent('show', 'session-one')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(FETCH),
    });
    grace.git('fetch', '-q', 'origin', '+refs/notes/agent/*:refs/notes/origin/agent/*');
    expect((await grace.agent('why', 'a.ts:1')).stdout.replace(/\s+/g, ' ')).toMatch(
      /A colleague may have shared it: git agent fetch looks\..* git agent fetch if a colleague has shared it/,
    );
    expect((await grace.agent('show', 'a.ts:1')).stdout.replace(/\s+/g, ' ')).toContain('git agent fetch looks');
    expect((await grace.agent('fetch', '-n')).stderr).toBe('Would fetch the shared conversations of origin.\n');
    grace.git('update-ref', '-d', 'refs/notes/origin/agent/trace');
    expect((await grace.agent('fetch')).stderr).toBe('Fetched the notes and the shared conversations of origin.\n');
    expect(grace.git('for-each-ref', '--format=%(refname)', 'refs/agent')).toBe('refs/agent/origin/sessions');
    for (const id of ['session-one', 'session', 'agentlog:session-one']) {
      expect((await grace.agent('show', id)).stdout).toContain('write a.ts');
    }
    expect((await grace.agent('show', 'a.ts:1')).stdout).toContain('write a.ts');
    // and listed, and searched, as what it is
    expect((await grace.agent('sessions')).stdout).toMatch(/^session-one {2}claude-code, shared {2}/);
    expect((await grace.agent('sessions', '--text', 'write')).stdout).toContain('  session-one (shared)  ');
    const listed = JSON.parse((await grace.agent('sessions', '--json')).stdout).sessions;
    expect(listed).toMatchObject([{ id: 'session-one', shared: true }]);
    expect((await ada.agent('sessions', '--json')).stdout).not.toContain('"shared"');
    const search = async (_: unknown, world: World) => {
      const { text, structured } = await sourcesIn(world).searchConversations({ query: 'WRITE a.ts' });
      expect(text).toContain('prompt (shared), agentlog:session-one#');
      expect(structured).toMatchObject({ hits: [{ session: 'session-one', shared: true }] });
      return 0;
    };
    await expect(inWorld(search, grace.dir, [])).resolves.toMatchObject({ stderr: '' });
    await grace.agent('forget', 'session-one');
    expect((await grace.agent('sessions')).stdout).toBe('');
  });

  it('of two who push at once both arrive; what a remote has goes to no other remote', async () => {
    const { ada, hub } = await story();
    const other = makeRepository({ bare: true });
    const grace = colleague(hub);
    made.push(other);
    await grace.init();
    grace.prompt('c.ts, please', 'of-grace');
    grace.ai('c.ts', 'c\n', 'of-grace');
    grace.commit('hers');
    await grace.agent('share', 'of-grace');
    await ada.agent('share', 'session-one');
    expect((await grace.agent('push')).status).toBe(0);
    expect((await ada.agent('push')).stderr).toContain('1 shared session to origin');
    const both = ['claude-code/of-grace.agentlog.json', 'claude-code/session-one.agentlog.json'];
    expect(shelf(hub.git)).toEqual(both);
    await grace.agent('sync');
    expect((await grace.agent('show', 'session-one')).stdout).toContain('write a.ts');
    await ada.agent('push', other.dir);
    expect(shelf(other.git)).toEqual(['claude-code/session-one.agentlog.json']);
    expect(ada.git('for-each-ref', 'refs/agent/passing')).toBe('');
  });

  it('agent.share: always shares what notes refer to, never stops all of it, nonsense publishes nothing', async () => {
    const { ada, hub } = await story();
    ada.prompt('only talk', 'session-two');
    await ada.agent('push');
    ada.git('config', 'agent.share', 'always');
    expect((await ada.agent('push', '--dry-run')).stderr).toBe(
      'origin has all our notes already.\nWould share, since agent.share is always: session-one\n',
    );
    expect(hub.git('for-each-ref', 'refs/agent')).toBe('');
    expect((await ada.agent('push')).stderr).toBe('Pushed notes and 1 shared session to origin.\n');
    expect(shelf(hub.git)).toEqual(['claude-code/session-one.agentlog.json']);
    const tip = ada.git('rev-parse', 'refs/agent/sessions');
    await ada.agent('push');
    expect(ada.git('rev-parse', 'refs/agent/sessions')).toBe(tip);
    for (const value of ['never', 'whatever']) {
      ada.git('config', 'agent.share', value);
      expect(await ada.agent('share', '--all')).toMatchObject({ status: 1, stdout: '' });
    }
    ada.git('config', 'agent.share', 'never');
    const other = makeRepository({ bare: true });
    made.push(other);
    await ada.agent('push', other.dir);
    expect(other.git('for-each-ref', 'refs/agent')).toBe('');
    expect((await ada.agent('config', 'share', 'maybe')).status).toBe(2);
  });

  it('what git knows as a revision is that, whatever a shared session is called', async () => {
    const { ada, hub } = await story();
    await ada.agent('push');
    const grace = colleague(hub);
    const short = grace.git('rev-parse', '--short=8', 'HEAD');
    grace.git('branch', 'topic');
    const names = ['HEAD', 'topic', short, '-rf'];
    const entries = names.map((id) => {
      const text = JSON.stringify({
        ...JSON.parse(fs.readFileSync(`${ada.common}/agent/sessions/claude-code/session-one.agentlog.json`, 'utf8')),
        id,
      });
      const blob = hub.gitBytes(['hash-object', '-w', '--stdin'], text).toString().trim();
      return `100644 blob ${blob}\t${id}.agentlog.json\n`;
    });
    const inner = hub.gitBytes(['mktree'], entries.join('')).toString().trim();
    const tree = hub.gitBytes(['mktree'], `040000 tree ${inner}\tclaude-code\n`).toString().trim();
    const tip = hub.git('-c', 'user.name=M', '-c', 'user.email=m@example.com', 'commit-tree', '-m', 'x', tree);
    hub.git('update-ref', 'refs/agent/sessions', tip);
    await grace.agent('fetch');
    const head = grace.git('rev-parse', 'HEAD');
    for (const name of ['HEAD', 'topic', short]) {
      expect(JSON.parse((await grace.agent('show', '--json', name)).stdout), name).toMatchObject({ commit: head });
      expect((await grace.agent('export', '--format', 'agent-trace', name)).stdout, name).toContain(head);
    }
    expect((await grace.agent('show', 'agentlog:HEAD')).status).toBe(0);
    expect((await grace.agent('show', '--', '-rf')).status).toBe(2);
    const listed = JSON.parse((await grace.agent('sessions', '--json')).stdout).sessions;
    expect(listed.map(({ id }: { id: string }) => id).toSorted()).toEqual(['HEAD', 'topic', short].toSorted());
  });

  it('what lies under a session’s name and is none is passed over', async () => {
    const { ada, hub } = await story();
    await ada.agent('share', 'session-one');
    await ada.agent('push');
    const grace = colleague(hub);
    for (const bytes of ['no JSON', '{"id":"another","status":"active","agent":{"name":"claude-code"}}']) {
      const blob = hub.gitBytes(['hash-object', '-w', '--stdin'], bytes).toString().trim();
      const inner = hub.gitBytes(['mktree'], `100644 blob ${blob}\tsession-one.agentlog.json\n`).toString().trim();
      const tree = hub.gitBytes(['mktree'], `040000 tree ${inner}\tclaude-code\n`).toString().trim();
      const commit = hub.git('-c', 'user.name=M', '-c', 'user.email=m@example.com', 'commit-tree', '-m', 'x', tree);
      hub.git('update-ref', 'refs/agent/sessions', commit);
      await grace.agent('fetch');
      expect((await grace.agent('show', 'session-one')).status).toBe(2);
    }
  });
});
