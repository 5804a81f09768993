import { expect, it } from 'vitest';
import { advised, saidFault } from '../../src/git/said.ts';

it.each([
  ["no such path 'a' in HEAD", 'git ls-files'],
  ['no such ref: HEAD', 'make a first commit'],
  ["bad revision 'HEAD'", 'make a first commit'],
  ['HEAD names no commit', 'make a first commit'],
  ["your current branch 'main' does not have any commits yet", 'make a first commit'],
  ["bad revision 'HEADS'", 'git log --all'],
  ['zz names no commit', 'git log --all'],
  ['cannot find revision zzz to ignore', 'git log --all'],
  ['file a has only 2 lines', 'lines that it has'],
  ["-L parameter 'nofunc' starting at line 1: no match", 'START,END'],
  ['-L invalid line number: 0', 'counted from 1'],
  ['unknown date format foo', 'iso'],
  ["Cannot stat '/nope': No such file or directory", 'check its name'],
  ['could not open object name list: zzz', 'check its name'],
  ["'/etc/passwd' is outside repository at '/r'", 'go into the repository'],
])('git says "%s": the next step is named', (said, step) => {
  expect(advised(said)).toMatch(/^[^\n]+: [^\n]+\.$/);
  expect(advised(said).slice(said.length)).toContain(step);
  expect(saidFault({ code: 128, err: `fatal: ${said}\nmore` }, 'git blame')).toMatchObject({ code: 'usage' });
});

it('what git says of itself is no mistake of the person; its help is not quoted', () => {
  const broken = saidFault({ code: 128, err: 'fatal: unable to read 1234' }, 'git blame');
  expect([broken.code, broken.message]).toEqual(['git', 'unable to read 1234']);
  expect(saidFault({ code: 1, err: '' }, 'git log', 'usage')).toMatchObject({ code: 'usage' });
  expect(saidFault({ code: 129, err: 'usage: git blame [<options>]\n\n  -x' }, 'git blame').message).toBe(
    'git blame takes no such words: git blame -h tells which.',
  );
});
