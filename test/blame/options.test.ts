import { describe, expect, it } from 'vitest';
import { printBlameHelp } from '../../src/blame/help.ts';
import { BLAME_OPTIONS, parseBlameArgs } from '../../src/blame/options.ts';
import { Fault } from '../../src/fault.ts';

describe('options of git blame', () => {
  it.each<[string, string[], string[]]>([
    ['-L in any form', ['-L1,5', '-L', ':main', '-L', '/a b/,+3'], ['-L1,5', '-L:main', '-L/a b/,+3']],
    ['-C and -M with and without a number', ['-C', '-C40', '-M', '-M20', '-C'], ['-C', '-C40', '-M', '-M20', '-C']],
    ['letters together', ['-wC', '-wM5'], ['-w', '-C', '-w', '-M5']],
    ['a letter with a value takes the rest', ['-wL1,2'], ['-w', '-L1,2']],
    ['values attached or not', ['--ignore-rev', 'x', '--ignore-rev=y'], ['--ignore-rev=x', '--ignore-rev=y']],
    ['a value that looks like an option', ['--since', '--json'], ['--since=--json']],
    ['an empty value', ['--ignore-revs-file='], ['--ignore-revs-file=']],
    ['ours are not passed on', ['--json', '-p', '--abbrev=5', '-l', '--color', '--no-pager', '--line-porcelain'], []],
  ])('%s', (_, args, passed) => expect(parseBlameArgs(args).gitArgs).toEqual(passed));

  it('tells words from what follows --', () => {
    expect(parseBlameArgs(['HEAD', '-w', 'a', '--', '--json', '-x'])).toMatchObject({
      words: ['HEAD', 'a'],
      files: ['--json', '-x'],
      form: 'text',
    });
    expect(parseBlameArgs(['a'])).toMatchObject({ words: ['a'], files: undefined });
  });

  it.each([
    [['-l'], 0],
    [['--no-abbrev'], 0],
    [['--abbrev=0'], 0],
    [['--abbrev=2'], 4],
    [['--abbrev=12'], 12],
    [['-l', '--abbrev'], undefined],
  ])('%j', (args, abbrev) => expect(parseBlameArgs(args).abbrev).toBe(abbrev));

  it.each<[string[], RegExp]>([
    [['--jsn'], /no option --jsn; did you mean --json\?/],
    [['--first'], /did you mean --first-parent\?/],
    [['--tuii'], /no option --tuii;/],
    [['--__proto__'], /no option --__proto__;/],
    [['-x'], /no option -x/],
    [['--json=yes'], /--json takes no value/],
    [['-L'], /-L needs a value/],
    [['--abbrev=x'], /needs a number/],
    [['--color=pink'], /always, auto or never/],
  ])('%j is refused', (args, message) => {
    let caught: unknown;
    try {
      parseBlameArgs(args);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(Fault);
    expect(caught).toMatchObject({ code: 'usage', message: expect.stringMatching(message) });
  });

  it('the help names every option', () => {
    for (const { names } of BLAME_OPTIONS) for (const name of names) expect(printBlameHelp()).toContain(name);
  });
});
