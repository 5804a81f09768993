import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { removeFolder } from '../support/remove.ts';
import { makeFolder, openRepository, type TestRepository } from '../support/repository.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

/** The negative control: agents are there, and none has written a line of what is committed. */
let shop: Workshop;
const folders: string[] = [];
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('start.txt', 'start\n').human('lib/a.ts', 'export const one = 1;\nexport const two = 2;\n');
  shop.commit('start');
});
afterEach(() => {
  shop.remove();
  for (const folder of folders.splice(0)) removeFolder(folder);
});

/** Letters of every file of the revision, from memory and after the work; no agent's anywhere. */
async function letters(revision = 'HEAD', place = shop): Promise<Record<string, string>> {
  const names = place.git('ls-tree', '-r', '-z', '--name-only', revision).split('\0').filter(Boolean);
  const all = async () => {
    const told: [string, string][] = [];
    for (const name of names) told.push([name, await place.blame(revision, '--', name)]);
    return Object.fromEntries(told);
  };
  const pending = await all();
  await place.work();
  expect(await all()).toEqual(pending);
  for (const [name, types] of Object.entries(pending)) expect(`${name} ${types}`).toMatch(/ [hu]+$/);
  expect(toolsIn(place.git('log', '--format=%N', '--notes=agent/trace', revision))).toEqual(['git-agent-blame']);
  return pending;
}

/** The tools that records name: ours alone says whose the lines of people are. */
function toolsIn(notes: string): string[] {
  const records = notes.split('\n').filter(Boolean);
  return [...new Set(records.map((record): string => JSON.parse(record).tool.name))];
}

const LOCK = Array.from({ length: 40 }, (_, i) => `  "package-${i}": "1.${i}.0",\n`).join('');
const BOT = {
  GIT_AUTHOR_NAME: 'renovate[bot]',
  GIT_AUTHOR_EMAIL: '29139614+renovate[bot]@users.noreply.github.com',
  GIT_COMMITTER_NAME: 'GitHub',
  GIT_COMMITTER_EMAIL: 'noreply@github.com',
};

/** An agent at work that writes nothing. */
function busy(commands = ['grep -rn one lib | head'], session = 's1'): void {
  event('Read', { file_path: path.join(shop.dir, 'lib/a.ts') }, session);
  for (const command of commands) shop.shell(command, session);
}

let calls = 0;
function event(name: string, input: Record<string, unknown>, session = 's1'): void {
  const id = `toolu_n${++calls}`;
  shop.tell(session, id, name, input);
  shop.hook('event', session, {
    hook_event_name: 'PostToolUse',
    tool_name: name,
    tool_use_id: id,
    tool_input: input,
    tool_response: {},
  });
}

describe('bots', () => {
  test('a commit by plumbing, beside a session at work', async () => {
    busy();
    shop.human('../lock.tmp', LOCK);
    folders.push(path.join(shop.dir, '../lock.tmp'));
    const blob = shop.git('hash-object', '-w', '../lock.tmp');
    shop.git('update-index', '--add', '--cacheinfo', `100644,${blob},package-lock.json`);
    const commit = shop.gitWith(BOT, 'commit-tree', shop.git('write-tree'), '-p', 'HEAD', '-m', 'chore: update');
    shop.git('update-ref', 'refs/heads/main', commit);
    shop.git('checkout', '-q', '-f', 'main');
    expect((await letters())['package-lock.json']).toMatch(/^(?:h{40}|u{40})$/);
  });

  test('a stream for fast-import', async () => {
    busy();
    const text = 'export const generated = true;\n';
    const who = 'github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com>';
    const stream = [
      'commit refs/heads/bot',
      `committer ${who} ${Math.floor(Date.now() / 1000)} +0000`,
      'data 5',
      'chore',
      'from refs/heads/main^0',
      'M 100644 inline dist/gen.ts',
      `data ${text.length}`,
      text,
    ].join('\n');
    openRepository(shop.dir).gitBytes(['fast-import', '--quiet'], stream);
    shop.git('merge', '-q', '--no-ff', '-m', 'Merge the bot', 'bot');
    expect((await letters())['dist/gen.ts']).toMatch(/^[hu]$/);
  });

  test('a branch made on the server, merged there, and pulled', async () => {
    const server = clone('--bare');
    const elsewhere = clone();
    shop.git('remote', 'add', 'origin', server.dir);
    elsewhere.git('checkout', '-q', '-b', 'dependabot/npm/left-pad');
    elsewhere.write('package-lock.json', LOCK);
    elsewhere.write('lib/a.ts', 'export const one = 1;\nexport const two = 22;\n');
    elsewhere.git('add', '-A');
    const author = ['-c', 'user.name=dependabot[bot]', '-c', 'user.email=support@github.com'];
    elsewhere.git(...author, 'commit', '-q', '-m', 'build(deps): bump left-pad');
    elsewhere.git('checkout', '-q', 'main');
    elsewhere.git(...author, 'merge', '-q', '--no-ff', '-m', 'Merge pull request #1', '-');
    elsewhere.git('push', '-q', server.dir, 'main');
    busy();
    shop.human('mine.txt', 'typed\n');
    shop.commit('mine');
    shop.git('pull', '-q', '--no-rebase', '--no-edit', 'origin', 'main');
    busy();
    expect((await letters())['mine.txt']).toBe('h');
  });
});

function clone(...args: string[]): TestRepository {
  const dir = makeFolder('clone');
  folders.push(dir);
  shop.git('clone', '-q', ...args, shop.dir, dir);
  return openRepository(dir);
}

describe('people beside an agent', () => {
  test('that reads, searches and runs what writes nothing', async () => {
    shop.prompt('Look around');
    event('Grep', { pattern: 'one', path: shop.dir });
    busy(['ls -la', 'node -e 0']);
    shop.human('lib/a.ts', 'export const one = 1;\nexport const two = 3;\nexport const three = 3;\n');
    busy(['git status', 'cat lib/a.ts'], 's2');
    shop.human('mine.txt', 'typed\n').commit('mine');
    shop.human('more.txt', 'typed too\n');
    busy(['test -f more.txt']);
    shop.commit('more');
    expect(await letters()).toEqual({ 'start.txt': 'h', 'lib/a.ts': 'hhh', 'mine.txt': 'h', 'more.txt': 'h' });
  });

  test('and save while its command runs, which reads or tests', async () => {
    for (const [i, command] of [
      'cat lib/a.ts 2>&1 | head',
      'git log -1',
      'npm test 2>&1',
      'cd lib && npx tsc --noEmit',
    ].entries()) {
      const common = { tool_name: 'Bash', tool_use_id: `toolu_w${i}`, tool_input: { command } };
      shop.tell('s1', `toolu_w${i}`, 'Bash', { command });
      shop.hook('before', 's1', { hook_event_name: 'PreToolUse', ...common });
      shop.human(`mine-${i}.txt`, `typed ${i}\n`);
      shop.hook('after', 's1', { hook_event_name: 'PostToolUse', ...common, tool_response: { stdout: '' } });
    }
    shop.commit('mine');
    await letters();
  });

  test('whose edits fail, and are rejected; the person writes it in their own way, and in the same', async () => {
    const input = { file_path: path.join(shop.dir, 'a.txt'), content: 'proposed by the agent\nand not wanted\n' };
    const edit = { file_path: path.join(shop.dir, 'lib/a.ts'), old_string: 'nowhere', new_string: 'somewhere else' };
    for (const [id, name, given] of [
      ['toolu_f1', 'Write', input],
      ['toolu_f2', 'Edit', edit],
    ] as const) {
      shop.tell('s1', id, name, given);
      shop.tellResult('s1', id, 'Error: it was not done', true);
      const call = { tool_name: name, tool_use_id: id, tool_input: given };
      shop.hook('event', 's1', { hook_event_name: 'PostToolUseFailure', ...call, error: 'it was not done' });
    }
    shop.tell('s1', 'toolu_f3', 'Write', { ...input, file_path: path.join(shop.dir, 'b.txt') });
    const words = 'The user doesn’t want to proceed with this tool use.';
    shop.tellResult('s1', 'toolu_f3', `Error: ${words}`, true);
    shop.human('a.txt', 'typed in my own way\n').human('b.txt', input.content);
    shop.human('lib/a.ts', 'somewhere else\n').commit('mine');
    await letters();
  });

  test.each([
    ['by hand', (text: string) => void shop.human('lib/a.ts', text)],
    ['by git', () => void shop.git('checkout', '-q', '--', 'lib/a.ts')],
    ['by a hard reset', () => void shop.git('reset', '-q', '--hard')],
  ])('who take its edit back %s', async (_, undo) => {
    const before = shop.read('lib/a.ts');
    shop.ai('lib/a.ts', `${before}export const agents = 'own line';\n`);
    shop.ai('lib/new.ts', 'a whole file of the agent\n');
    undo(before);
    fs.rmSync(path.join(shop.dir, 'lib/new.ts'), { force: true });
    shop.human('lib/a.ts', `${before}console.log(one + two);\n`).commit('mine');
    expect((await letters())['lib/a.ts']).toMatch(/^hh[hu]$/);
  });

  test('whose agent writes what is ignored', async () => {
    shop.human('.gitignore', 'build/\n').commit('ignore');
    shop.ai('build/a.ts', 'export const built = true;\n');
    shop.shell("mkdir -p build && echo 'made by a command' > build/made.txt");
    shop.human('src/a.ts', 'export const typed = true;\n').human('made.txt', 'typed\n').commit('mine');
    expect(await letters()).toMatchObject({ 'src/a.ts': 'h', 'made.txt': 'h', '.gitignore': 'h' });
  });

  test('whose agent works in another repository', async () => {
    const other = clone();
    const full = path.join(other.dir, 'lib/a.ts');
    const content = 'export const agents = 1;\n';
    other.write('lib/a.ts', content);
    event('Write', { file_path: full, content });
    shop.human('lib/a.ts', 'export const persons = 1;\n').commit('mine');
    expect((await letters())['lib/a.ts']).toMatch(/^[hu]$/);
  });

  test('whose agent works in another work tree', async () => {
    const linked = path.join(makeFolder('linked'), 'tree');
    folders.push(path.dirname(linked));
    shop.git('worktree', 'add', '-q', linked);
    const there = shop.in(linked);
    there.ai('lib/a.ts', 'export const agents = 1;\n', 's2');
    there.shell("echo 'made by a command' > made.txt", 's2');
    shop.human('lib/a.ts', 'export const persons = 1;\n').human('made.txt', 'typed\n').commit('mine');
    expect(await letters()).toMatchObject({ 'lib/a.ts': 'h', 'made.txt': 'h' });
  });
});

describe('the same text', () => {
  const TEXT = 'export function sum(a: number, b: number): number {\n  return a + b;\n}\n';

  test('which an agent writes over what a person has committed', async () => {
    shop.human('sum.ts', TEXT).commit('mine');
    shop.ai('sum.ts', TEXT);
    shop.shell('touch sum.ts && cat sum.ts > /dev/null');
    shop.human('other.ts', 'typed\n').commit('more');
    expect(await letters()).toMatchObject({ 'sum.ts': 'hhh', 'other.ts': 'h' });
  });

  test.each(['before', 'after'])('which an agent wrote in another folder %s the person did', async (when) => {
    const folder = makeFolder('elsewhere');
    folders.push(folder);
    if (when === 'before') sessionElsewhere(folder, TEXT);
    shop.human('sum.ts', TEXT).commit('mine');
    if (when === 'after') sessionElsewhere(folder, TEXT);
    shop.human('other.ts', 'typed\n').commit('more');
    expect(await letters()).toMatchObject({ 'sum.ts': 'hhh', 'other.ts': 'h' });
    // also where all transcripts of this machine are looked at
    expect((await shop.agent('backfill')).status).toBe(0);
    expect(await letters()).toMatchObject({ 'sum.ts': 'hhh', 'other.ts': 'h' });
  });

  /** A transcript that lies where ours do (the folder's name is ambiguous), of a session in another folder with the same file name. */
  function sessionElsewhere(folder: string, content: string): void {
    const file = path.join(folder, 'sum.ts');
    fs.writeFileSync(file, content);
    const line = (fields: Record<string, unknown>) =>
      `${JSON.stringify({
        parentUuid: null,
        isSidechain: false,
        cwd: folder,
        sessionId: 's9',
        version: '2.1.197',
        timestamp: new Date().toISOString(),
        ...fields,
      })}\n`;
    const call = { type: 'tool_use', id: 'toolu_e1', name: 'Write', input: { file_path: file, content } };
    const message = { id: 'msg_e1', role: 'assistant', model: 'claude-opus-4-5-20251101', content: [call] };
    const result = [{ type: 'tool_result', tool_use_id: 'toolu_e1', content: 'ok' }];
    const toolUseResult = { type: 'create', filePath: file, content, structuredPatch: [], originalFile: null };
    const transcript = shop.transcript('s9');
    fs.mkdirSync(path.dirname(transcript), { recursive: true });
    fs.writeFileSync(
      transcript,
      line({ type: 'assistant', uuid: 'u-e1', message }) +
        line({ type: 'user', uuid: 'r-e1', message: { role: 'user', content: result }, toolUseResult }),
    );
  }
});
