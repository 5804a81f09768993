import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Audit } from '../../src/audit/audit.ts';
import type { Divergence } from '../../src/audit/divergence.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

const shops: Workshop[] = [];
const folders: string[] = [];
afterEach(() => {
  for (const shop of shops.splice(0)) shop.remove();
  for (const folder of folders.splice(0)) removeFolder(folder);
});

async function story(): Promise<Workshop> {
  const shop = await openWorkshop();
  shops.push(shop);
  shop.human('a.ts', 'typed\n').commit('first');
  shop.prompt('Please write two lines, my key is AKIAIOSFODNN7EXAMPLA');
  shop.ai('a.ts', 'typed\nby an\nagent\n');
  shop.commit('second\n\nReviewed-by: Ada <ada@example.com>');
  return shop;
}

/** A command that its user does not let run. */
function deny(shop: Workshop, command: string): void {
  shop.tell('s1', 'toolu_denied', 'Bash', { command });
  const content = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
  const result = { type: 'tool_result', tool_use_id: 'toolu_denied', content, is_error: true };
  const line = {
    ...{ parentUuid: null, isSidechain: false, userType: 'external', cwd: shop.dir, sessionId: 's1' },
    ...{ version: '2.1.197', type: 'user', uuid: 'r-denied', timestamp: new Date().toISOString() },
    message: { role: 'user', content: [result] },
    toolUseResult: 'User rejected tool use',
  };
  fs.appendFileSync(shop.transcript('s1'), `${JSON.stringify(line)}\n`);
}

/** An edit of which only the transcript tells. */
function claim(shop: Workshop, id: string, file: string): void {
  const result = { type: 'create', filePath: file, content: 'claimed\n', structuredPatch: [], originalFile: null };
  shop.tell('s1', id, 'Write', { file_path: file, content: 'claimed\n' });
  shop.tellResult('s1', id, result);
}

const audit = async (shop: Workshop, ...args: string[]): Promise<Audit> => {
  const { status, stdout, stderr } = await shop.agent('audit', '--format', 'json', ...args);
  expect([status, stderr.replace(/^The evidence is in .*\n$/, '')]).toEqual([0, '']);
  return JSON.parse(stdout);
};
const states = ({ categories }: Audit) => Object.fromEntries(categories.map(({ name, state }) => [name, state]));

function freshFolder(): string {
  const folder = makeFolder('evidence');
  folders.push(folder);
  return path.join(folder, 'pack');
}

const filesIn = (folder: string) =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();

describe('git agent audit', () => {
  it('answers the eleven categories by figures, the same before and after the work', async () => {
    const shop = await story();
    const before = await audit(shop);
    expect(before).toMatchObject({ range: 'HEAD', commits: 2, until: expect.stringMatching(/^20.*Z$/) });
    expect(states(before)).toEqual({
      'automatic recording': 'met',
      timestamps: 'met',
      actors: 'met',
      actions: 'met',
      'inputs and outputs': 'met',
      retention: 'met',
      integrity: 'not met',
      incidents: 'met',
      anomalies: 'met',
      oversight: 'not met',
      traceability: 'met',
    });
    const by = new Map(before.categories.map((one) => [one.name, one]));
    expect(by.get('actors')).toMatchObject({ part: 3, whole: 3 });
    expect(by.get('anomalies')?.figure).toMatch(/^1 of 1 edit told by a hook or a snapshot, 1 of these shown by/);
    expect(by.get('oversight')?.figure).toMatch(/reviews in commits 1\); in 1 a person's prompts alone$/);
    expect(by.get('traceability')).toMatchObject({ part: 2, whole: 2 });
    await shop.work();
    expect(await audit(shop)).toEqual(before);
    shop.git('config', 'agent.retention', '6 months');
    expect(states(await audit(shop)).retention).toBe('not met');
    const { stdout } = await shop.agent('audit');
    expect(stdout).toMatch(/^HEAD, 2 commits, up to 20\S+Z\n\n 1 {2}automatic recording {2}met {6}2 of 2 commits/);
    expect(stdout).toMatch(/\n 7 {2}integrity {12}not met {2}0 of \d records sealed/);
  });

  it('says so of a repository in which nothing was recorded', async () => {
    const shop = await openWorkshop({ agents: false });
    shops.push(shop);
    shop.human('a.ts', 'typed\n').commit('first');
    const found = await audit(shop);
    expect(states(found)).toMatchObject({
      'automatic recording': 'not met',
      actors: 'not met',
      actions: 'no data',
      integrity: 'no data',
      traceability: 'no data',
    });
    expect(fs.existsSync(path.join(shop.common, 'agent'))).toBe(false);
  });

  it('of a range, only the sessions behind its records', async () => {
    const shop = await story();
    shop.prompt('talk', 's2');
    shop.ai('b.ts', 'other\n', 's2');
    shop.commit('third');
    expect((await audit(shop)).sessions).toEqual({ inScope: 2, referredTo: 2, keptOfThese: 2 });
    expect((await audit(shop, 'HEAD^..HEAD')).sessions).toEqual({ inScope: 1, referredTo: 1, keptOfThese: 1 });
  });
});

describe('the evidence pack', () => {
  it('is whole, sums up, and is the same every time', async () => {
    const shop = await story();
    await shop.work();
    const [one, two] = [freshFolder(), freshFolder()];
    await audit(shop, '--output', one);
    await audit(shop, '--output', two);
    expect(filesIn(one)).toEqual([
      'README.md',
      'SHA256SUMS',
      'approvals.jsonl',
      'audit.json',
      'divergence.json',
      'links.jsonl',
      'records.jsonl',
      'report.json',
      'seals.jsonl',
      'sessions/claude-code/s1.agentlog.json',
    ]);
    for (const name of filesIn(one)) {
      expect(fs.readFileSync(path.join(one, name), 'utf8')).toBe(fs.readFileSync(path.join(two, name), 'utf8'));
      expect(fs.statSync(path.join(one, name)).mode & 0o077).toBe(0);
    }
    const sums = fs.readFileSync(path.join(one, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
    const summed = sums.map((line) => {
      const [, sum, name = ''] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
      expect(
        createHash('sha256')
          .update(fs.readFileSync(path.join(one, name)))
          .digest('hex'),
      ).toBe(sum);
      return name;
    });
    expect([...summed, 'SHA256SUMS'].sort()).toEqual(filesIn(one));
  });

  it('has the notes byte for byte, no secret, and who approved what', async () => {
    const shop = await story();
    await shop.work();
    const pack = freshFolder();
    await audit(shop, '--output', pack);
    const read = (name: string) => fs.readFileSync(path.join(pack, name), 'utf8');
    const noted = ['HEAD^', 'HEAD'].map((commit) => shop.git('notes', '--ref=agent/trace', 'show', commit));
    expect(new Set(read('records.jsonl').trimEnd().split('\n'))).toEqual(new Set(noted.join('\n').split('\n')));
    expect(read('links.jsonl').trimEnd()).toBe(shop.git('notes', '--ref=agent/log', 'show', 'HEAD'));
    expect(filesIn(pack).map(read).join('')).not.toContain('AKIAIOSFODNN7EXAMPLA');
    expect(read('sessions/claude-code/s1.agentlog.json')).toContain('Please write two lines');
    const approvals = read('approvals.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const head = shop.git('rev-parse', 'HEAD');
    expect(approvals).toMatchObject([
      { kind: 'commit', commit: head, agentLines: 2 },
      { kind: 'trailer', commit: head, trailer: 'Reviewed-by', by: 'Ada <ada@example.com>' },
    ]);
    expect(read('README.md')).toContain('| 3 | actors | attribution of actions to identifiable actors');
    expect(JSON.parse(read('report.json')).counts).toMatchObject({ total: 3, ai: 2, human: 1 });
    expect(
      read('seals.jsonl')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).state),
    ).toContain('unsealed');
  });

  it('is not written over anything', async () => {
    const shop = await story();
    const pack = freshFolder();
    fs.mkdirSync(pack);
    fs.writeFileSync(path.join(pack, 'mine'), '');
    const { status, stderr } = await shop.agent('audit', '--output', pack);
    expect([status, stderr]).toEqual([2, expect.stringContaining('is there already and not an empty folder')]);
    expect(fs.readdirSync(pack)).toEqual(['mine']);
    fs.rmSync(path.join(pack, 'mine'));
    await audit(shop, '--output', pack);
    expect(fs.readdirSync(path.dirname(pack))).toEqual(['pack']);
  });

  it('has the records of commits that were squashed away', async () => {
    const shop = await story();
    await shop.work();
    const record = JSON.parse(shop.git('notes', '--ref=agent/trace', 'show', 'HEAD').split('\n')[0] ?? '').id;
    const tree = shop.git('rev-parse', 'HEAD^{tree}');
    const squashed = shop.git('commit-tree', '-m', 'squashed elsewhere', tree);
    const pack = freshFolder();
    await audit(shop, squashed, '--output', pack);
    expect(fs.readFileSync(path.join(pack, 'records.jsonl'), 'utf8')).toContain(record);
    expect(filesIn(pack)).toContain('sessions/claude-code/s1.agentlog.json');
  });
});

const noKeys = spawnSync('ssh-keygen', ['-?']).error !== undefined;

describe('seals', () => {
  it.skipIf(noKeys)('are counted when an allowed signer made them, and shown (needs OpenSSH)', async () => {
    const shop = await story();
    const keys = makeFolder('keys');
    folders.push(keys);
    const key = path.join(keys, 'id');
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'ada', '-f', key]);
    shop.git('config', 'gpg.format', 'ssh');
    shop.git('config', 'user.signingkey', `${key}.pub`);
    expect((await shop.agent('seal', 'HEAD^..HEAD')).status).toBe(0);
    const integrity = async (...args: string[]) =>
      (await audit(shop, ...args)).categories.find(({ name }) => name === 'integrity');
    // nobody is trusted yet
    expect(await integrity('HEAD')).toMatchObject({ state: 'not met', figure: expect.stringContaining('refused 1') });
    const [type, blob] = fs.readFileSync(`${key}.pub`, 'utf8').split(' ');
    fs.writeFileSync(path.join(keys, 'allowed'), `ada@example.com ${type} ${blob}\n`);
    shop.git('config', 'gpg.ssh.allowedSignersFile', path.join(keys, 'allowed'));
    const pack = freshFolder();
    expect(await integrity('HEAD', '--output', pack)).toMatchObject({ state: 'met', part: 1, whole: 1 });
    const [row] = fs.readFileSync(path.join(pack, 'seals.jsonl'), 'utf8').split('\n');
    expect(JSON.parse(row ?? '')).toMatchObject({
      state: 'sealed',
      replaced: false,
      proofs: [{ ok: true, principal: 'ada@example.com' }],
      seals: [{ cose: expect.stringMatching(/^[\w-]{100,}$/) }],
    });
    expect(await integrity()).toMatchObject({ state: 'partly', part: 1, whole: 2 });
  });
});

describe('divergence', () => {
  async function divergences(shop: Workshop): Promise<readonly Divergence[]> {
    const pack = freshFolder();
    await audit(shop, '--output', pack);
    return JSON.parse(fs.readFileSync(path.join(pack, 'divergence.json'), 'utf8')).facts;
  }

  it('there is none in an honest session', async () => {
    const shop = await story();
    shop.shell('echo three >> a.ts');
    expect(await divergences(shop)).toEqual([]);
  });

  it("a hook's word that no commit shows is counted, and called nothing worse: a person may have undone it", async () => {
    const shop = await story();
    shop.ai('a.ts', 'typed\nby an\nagent\nand undone\n');
    shop.human('a.ts', 'typed\nby an\nagent\n');
    const anomalies = async () => (await audit(shop)).categories.find(({ name }) => name === 'anomalies')?.figure;
    const told = '2 of 2 edits told by a hook or a snapshot, 1 of these shown by a snapshot or a commit; 0 facts';
    expect(await anomalies()).toBe(`${told} of divergence`);
    await shop.work();
    expect(await anomalies()).toBe(`${told} of divergence`);
  });

  it('tells of a claim that nobody saw, until a commit shows it', async () => {
    const shop = await story();
    claim(shop, 'toolu_claim', path.join(shop.dir, 'c.ts'));
    const claimed = async () => (await divergences(shop)).filter(({ kind }) => kind === 'claimed-not-shown');
    expect(await claimed()).toMatchObject([{ session: 's1', event: 'toolu_claim', path: 'c.ts' }]);
    shop.human('c.ts', 'claimed\n').commit('there it is');
    expect(await claimed()).toEqual([]);
  });

  it('tells of changes that no transcript claims: by a command that does not name them, by a hook alone', async () => {
    const shop = await story();
    fs.writeFileSync(path.join(shop.home, 'gen.sh'), 'echo hidden > hidden.ts\n');
    const command = shop.shell(`sh ${shop.home}/gen.sh`);
    // a later edit that the transcript tells of in full: it has come that far
    const full = path.join(shop.dir, 'd.ts');
    const id = shop.ai('d.ts', 'x\n');
    shop.tellResult('s1', id, {
      type: 'create',
      filePath: full,
      content: 'x\n',
      structuredPatch: [],
      originalFile: null,
    });
    const found = await divergences(shop);
    expect(found).toContainEqual(
      expect.objectContaining({ kind: 'shown-not-claimed', event: command, path: 'hidden.ts' }),
    );
    // the first edit has no result in the transcript
    expect(found).toContainEqual(
      expect.objectContaining({
        kind: 'shown-not-claimed',
        path: 'a.ts',
        what: expect.stringContaining('a hook showed'),
      }),
    );
    expect(found).toHaveLength(2);
  });

  it('tells of edits outside the repository, and of what was denied and done all the same', async () => {
    const shop = await story();
    const outside = path.join(shop.home, 'elsewhere.txt');
    claim(shop, 'toolu_outside', outside);
    deny(shop, 'touch denied.txt');
    const ran = shop.shell('cd . && touch  denied.txt');
    const found = await divergences(shop);
    expect(found).toContainEqual(expect.objectContaining({ kind: 'outside', event: 'toolu_outside', path: outside }));
    expect(found).toContainEqual(
      expect.objectContaining({
        kind: 'denied-and-done',
        event: ran,
        what: expect.stringMatching(/^denied by user at 20.*: touch denied\.txt$/),
      }),
    );
    const { stdout } = await shop.agent('audit');
    expect(stdout).toContain('calls that were denied and done all the same: 1\n');
  });
});
