import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agent } from '../../src/commands/agent.ts';
import { findRepository } from '../../src/git/repository.ts';
import { askGit } from '../../src/git/run.ts';
import { readSpans } from '../../src/git/spans.ts';
import { openWorkshop } from '../support/workshop.ts';
import { buildPrograms, call, inWorld, type Programs, Sandbox } from './program.ts';

// names are bytes: this is what git may be told on Linux
const NAME = Buffer.from('d/b\xffad "\\.txt', 'latin1');
const PRINTED = '"d/b\\377ad \\"\\\\.txt"';

let programs: Programs;
let repo: Sandbox;
beforeAll(async () => {
  programs = await buildPrograms();
  repo = new Sandbox();
  repo.write('e', 'nothing\n').commit();
  repo.git('rm', '-q', 'e');
  repo.write('d/a', 'one\n').write('"q"', 'three\n');
  fs.writeFileSync(Buffer.concat([Buffer.from(`${repo.dir}/`), NAME]), 'two\n');
  repo.commit();
});
afterAll(() => {
  programs.remove();
  repo.remove();
});

describe.runIf(process.platform === 'linux')('a file whose name is no UTF-8 (other systems have none)', () => {
  it('does not keep the report of all standing lines from being made', async () => {
    const { status, stdout } = await inWorld(agent, repo.dir, ['report', '--standing', '--format', 'json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ scope: { files: 3 }, counts: { total: 3 } });
    expect(stdout).toContain(JSON.stringify(PRINTED));
  });

  it('is blamed by its bytes, and as it is printed', async () => {
    const script = `git agent-blame --json -L1,1 -- "$(printf 'b\\377ad "\\\\.txt')"`;
    const { stdout, stderr } = call(programs, `${repo.dir}/d`, ['sh', '-c', script]);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ file: PRINTED, lines: [{ text: 'two' }] });
    const again = await inWorld(agent, repo.dir, ['blame', '--json', PRINTED]);
    expect(again.stdout).toBe(stdout);
  });

  it('is asked why', async () => {
    const script = `git agent why "$(printf 'd/b\\377ad "\\\\.txt:1')"`;
    expect(call(programs, repo.dir, ['sh', '-c', script]).stdout).toMatch(/ {2}two\n\nwho /);
    const shown = await inWorld(agent, repo.dir, ['show', '--json', `${PRINTED}:1`]);
    expect(JSON.parse(shown.stdout)).toMatchObject({ file: PRINTED, text: 'two' });
  });

  it('is what log and diff are asked for, with and without --', () => {
    const told = (verb: string) => {
      const { stdout, stderr } = call(programs, `${repo.dir}/d`, ['sh', '-c', `git agent ${verb}`]);
      expect([verb, stderr]).toEqual([verb, '']);
      return stdout;
    };
    const file = `"$(printf 'b\\377ad "\\\\.txt')"`;
    for (const words of [`-- ${file}`, file]) {
      expect(told(`log --oneline ${words}`)).toMatch(/^[0-9a-f]{7,} /);
      const patch = told(`log -p ${words}`);
      expect(patch).toContain('+two');
      expect(patch).not.toMatch(/\+(one|three)/);
      expect(told(`diff --no-pager HEAD~1 HEAD ${words}`)).toMatch(/^. \+two\n\n.*1 added line/m);
    }
  });

  it('has in a diff the origins that blame tells: committed, staged, in the work tree', async () => {
    const shop = await openWorkshop();
    try {
      const place = Buffer.concat([Buffer.from(`${shop.dir}/`), Buffer.from('b\xffad.txt', 'latin1')]);
      shop.human('"q"', 'a\n').commit('first');
      fs.writeFileSync(place, 'z\n');
      shop.human('"q"', 'a\nb\n').commit('second');
      const { stdout } = await shop.agent('diff', 'HEAD~1');
      expect(stdout.match(/^. \+.*/gm)).toEqual(['H +b', 'H +z']);
      fs.writeFileSync(place, 'z\ny\n');
      shop.human('"q"', 'a\nb\nc\n');
      expect((await shop.agent('diff')).stdout.match(/^. \+.*/gm)).toEqual(['H +c', 'H +y']);
      shop.git('add', '-A');
      expect((await shop.agent('diff', '--staged')).stdout.match(/^. \+.*/gm)).toEqual(['H +c', 'H +y']);
    } finally {
      shop.remove();
    }
  });

  it('a name that only begins with a quote stands for itself', async () => {
    const { place } = await findRepository(repo.dir);
    expect(await readSpans(place, 'HEAD', '"\\"q\\""')).toMatchObject([{ file: '"\\"q\\""', count: 1 }]);
    const { stdout } = await inWorld(agent, repo.dir, ['blame', '--json', '"q"']);
    expect(JSON.parse(stdout)).toMatchObject({ file: '"\\"q\\""', lines: [{ text: 'three' }] });
  });

  it('every byte reaches git as it is', async () => {
    const bytes = Buffer.from(Array.from({ length: 255 }, (_, i) => i + 1));
    const { out } = await askGit({ cwd: repo.dir }, ['rev-parse', '--sq-quote', bytes, 'a\n']);
    const quoted = bytes.toString('latin1').replace(/['!]/g, "'\\$&'");
    expect(out.toString('latin1')).toBe(` '${quoted}' 'a\n'\n`);
  });
});
