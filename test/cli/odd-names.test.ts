import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agent } from '../../src/commands/agent.ts';
import { findRepository } from '../../src/git/repository.ts';
import { askGit } from '../../src/git/run.ts';
import { readSpans } from '../../src/git/spans.ts';
import { buildPrograms, call, inWorld, type Programs, Sandbox } from './program.ts';

// names are bytes: this is what git may be told on Linux
const NAME = Buffer.from('d/b\xffad "\\.txt', 'latin1');
const PRINTED = '"d/b\\377ad \\"\\\\.txt"';

let programs: Programs;
let repo: Sandbox;
beforeAll(async () => {
  programs = await buildPrograms();
  repo = new Sandbox();
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
