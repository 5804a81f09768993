import { describe, expect, test } from 'vitest';
import { joinFile } from '../../src/join/file.ts';
import { splitString } from '../../src/lines/text.ts';
import { Story } from './story.ts';

const story = (base = '') => new Story(base);

describe('who wrote it since the base commit', () => {
  test('only an agent: ai', () => expect(story().ai('one\ntwo\n').commit()).toBe('aa'));
  test('only a person, in a file no agent touched: human', () =>
    expect(story('old\n').human('old\nnew\n').commit()).toBe('.h'));
  test('a person, then the agent appends: split', () => {
    expect(story('base\n').human('base\nmine\n').ai('base\nmine\ntheirs\n').commit()).toBe('.ha');
  });
  test('the agent prepends above what a person typed', () => {
    expect(
      story('base\n').human('my first\nmy second\nbase\n').ai('agent line\nmy first\nmy second\nbase\n').commit(),
    ).toBe('ahh.');
  });
  test('the agent overwrites the file, then a person appends', () => {
    expect(story('old text\n').ai('new alpha\nnew beta\n').human('new alpha\nnew beta\nmine gamma\n').commit()).toBe(
      'aah',
    );
  });
  test('a person overwrites the agent wholly: no stale session, not even on a brace', () => {
    const text = 'my alpha {\n}\nmy beta {\n}\nmy gamma\n';
    expect(story().ai('agent one {\n}\nagent two {\n}\nagent three\n').human(text).commit()).toBe('hhhhh');
  });
  test('a person edits an agent line: mixed', () => {
    expect(
      story().ai('const port = 3000;\nconst host = 1;\n').human('const port = 4000;\nconst host = 1;\n').commit(),
    ).toBe('ma');
  });
  test('an agent edits a line that a person typed since the base: mixed', () => {
    expect(story('x\n').human('x\nconst port = 3000;\n').ai('x\nconst port = 4000;\n').commit()).toBe('.m');
  });
  test('an agent edits a committed line: ai', () => {
    expect(story('const port = 3000;\n').ai('const port = 4000;\n').commit()).toBe('a');
  });
  test('the second session inserts between the lines of the first: each keeps its own', () => {
    const answers = story().ai('alpha\ngamma\n', 's1').ai('alpha\nbeta\ngamma\n', 's2').answers();
    expect([...answers.values()].map((a) => ('type' in a ? a.agent?.session : ''))).toEqual(['s1', 's2', 's1']);
  });
  test('eight identical lines, two replaced, four prepended: all ai', () => {
    const same = 'same line\n'.repeat(8);
    const edited = `new one\nnew two\n${'same line\n'.repeat(6)}`;
    expect(story().ai(same).ai(edited).ai(`p1 line\np2 line\np3 line\np4 line\n${edited}`).commit()).toBe(
      'a'.repeat(12),
    );
  });
  test('blank lines inserted by an agent are its own', () =>
    expect(story('one\ntwo\n').ai('one\n\n\ntwo\n').commit()).toBe('.aa.'));
});

describe('a whole-file write owns what it changed', () => {
  test('a write that repeats 95 of 100 lines owns five', () => {
    const lines = Array.from({ length: 100 }, (_, i) => `line number ${i}`);
    const next = lines.map((line, i) => (i % 20 === 0 ? `changed ${i * 7}` : line));
    const said = story(`${lines.join('\n')}\n`)
      .ai(`${next.join('\n')}\n`)
      .commit();
    expect(said.match(/a/g)).toHaveLength(5);
  });
  test('a table rewritten around the same separator', () => {
    expect(story('| a | b |\n|---|---|\n| 1 | 2 |\n').ai('| x | y |\n|---|---|\n| 3 | 4 |\n').commit()).toBe('a.a');
  });
});

describe('formatters', () => {
  test('reflowing what the agent wrote does not take it over', () => {
    const file = story().ai('foo(alpha, beta,gamma)\nend\n').human('foo(\n  alpha,\n  beta,\n  gamma,\n);\nend\n');
    expect(file.commit()).toBe('aaaaaa');
    expect(joinFile(file.file()).postProcessing).toEqual(['unnamed formatter']);
  });
  test('a formatter run by the shell leaves what a person typed to the person', () => {
    const file = story('x\n').human('x\nfoo( alpha )\n').shell('prettier --write .', 'x\nfoo(alpha);\n');
    expect(file.commit()).toBe('.h');
    expect(joinFile(file.file()).postProcessing).toEqual(['prettier']);
  });
  test.each([
    ['sed -i "s/^/    /" src/a.ts', 'typed one;\ntyped two;\n}\n', '    typed one;\n    typed two;\n    }\n', 'vvv'],
    ['npx prettier --write src/a.ts', 'call(alpha, beta)\n', 'call(\n  alpha,\n  beta,\n);\n', 'vvvv'],
    ['black src/a.ts', 'typed one\ntyped two\n', '  typed one\n  typed two\nmade anew here\n', 'vva'],
    ['sh indent.sh', 'typed one\ntyped two\n', '  made before it\n  typed one\n  typed {two}\n', 'ava'],
    ['sh anew.sh', 'typed one {\n}\n', 'written wholly anew {\n  }\n', 'aa'],
  ])('%s leaves committed lines to whom they belong', (command, before, after, expected) => {
    expect(story(before).shell(command, after).commit()).toBe(expected);
  });
  test('an agent that reflows committed lines with its edit tool has written them', () => {
    expect(story('foo(alpha, beta)\n').ai('foo(\n  alpha,\n  beta\n)\n').commit()).toBe('aaaa');
    expect(story('  indented by hand\n').ai('    indented by hand\n').commit()).toBe('a');
  });
});

describe('moving is not writing', () => {
  const base = 'function alpha() {\n  return 1;\n}\n\nfunction beta() {\n  return 2;\n}\n';
  const swapped = 'function beta() {\n  return 2;\n}\n\nfunction alpha() {\n  return 1;\n}\n';
  test('a block moved by an agent within the file keeps the origin it had', () => {
    expect(story(base).ai(swapped).commit()).toMatch(/^[.v]+$/);
  });
  test('a block moved by a person too', () => expect(story(base).human(swapped).commit()).toMatch(/^[.v]+$/));
  test('an undo brings the agent back, by content', () => {
    const file = story('x\n')
      .ai('x\nconst answer = 42;\n')
      .human('x\n')
      .ai('x\nother stuff here\n')
      .human('x\nother stuff here\nconst answer = 42;\n');
    expect(file.commit()).toBe('.aa');
    expect(file.answers().get(3)).toMatchObject({ evidence: 'matched', agent: { event: 'e0' } });
  });
  test('a line that everybody writes does not bring the agent back', () => {
    const file = story('first of all\nlast of all\n')
      .ai('first of all\nswitch on it\nbreak;\nlast of all\n')
      .human('first of all\nlast of all\n')
      .ai('first of all\nlast of all\nthe agent goes on\n')
      .human('break;\nfirst of all\nlast of all\nthe agent goes on\n');
    expect(file.commit()).toBe('u..a');
  });
  test('unless it comes back to where it stood', () => {
    const file = story('first of all\nlast of all\n')
      .ai('first of all\nbreak;\nlast of all\n')
      .ai('first of all\nlast of all\n')
      .human('first of all\nbreak;\nlast of all\n');
    expect(file.commit()).toBe('.a.');
  });
  test('a line of two sessions that comes back is nobody’s', () => {
    const file = story('first of all\nlast of all\n')
      .ai('first of all\nimport the whole thing\nlast of all\n', 's1')
      .human('first of all\nlast of all\n')
      .ai('first of all\nlast of all\nimport the whole thing\n', 's2')
      .ai('first of all\nlast of all\n', 's2')
      .human('import the whole thing\nfirst of all\nlast of all\n');
    expect(file.commit()).toBe('u..');
  });
});

describe('staging', () => {
  const base = 'one\n\n\ntwo\n';
  test('part of an edit is committed, the rest belongs to the next commit', () => {
    const told = story(base).ai('one\nfirst new\n\n\nsecond new\ntwo\n');
    expect(told.commit('one\nfirst new\n\n\ntwo\n')).toBe('.a...');
    const next = story('one\nfirst new\n\n\ntwo\n');
    const edits = told.file().edits;
    expect(next.commit('one\nfirst new\n\n\nsecond new\ntwo\n', { edits, time: 90_000 })).toBe('....a.');
  });
  test('what was staged before the last edit is observed as it was', () => {
    const staged = 'one\nstaged line\n';
    const told = story('one\n').ai(staged).ai('one\nrewritten wholly\n');
    expect(told.commit(staged)).toBe('.a');
    expect(told.answers(staged).get(2)).toMatchObject({ evidence: 'observed' });
  });
  test('an event after the commit has not written its lines', () => {
    const told = story('one\n').human('one\nmine to keep\n');
    const time = 11_500;
    const later = told.human('one\n').ai('one\nmine to keep\n').file('one\nmine to keep\n', { time });
    expect(joinFile(later).answers.get(2)).toMatchObject({ type: 'human' });
  });
  test('all that came before the file was clean is settled', () => {
    const told = story('one\n').ai('one\nagent wrote this\n');
    const edits = told.file().edits;
    const next = story('one\nagent wrote this\n');
    // committed, then removed, then there again: typed by a person, or brought back by git? One line proves neither
    const gone = {
      edits,
      base: splitString('one\n'),
      ancestors: new Map([['one\nagent wrote this\n', 20_000]]),
      time: 90_000,
    };
    expect(next.commit('one\nagent wrote this\n', { ...gone, added: [{ start: 2, end: 2 }] })).toBe('.u');
  });
});

describe('shell commands', () => {
  test('between two snapshots: the agent', () =>
    expect(story('x\n').shell('make gen', 'x\ngenerated line\n').commit()).toBe('.a'));
  test('no snapshot, lines nobody explains: unknown, not human', () => {
    expect(story('x\n').ai('x\nagent line\n').unseen('x\nagent line\nwho knows this\n').commit()).toBe('.au');
  });
  test('git that moves contents about writes nothing of its own', () => {
    expect(story('x\n').shell('git checkout other', 'x\nfrom another branch\n').commit()).toBe('.u');
  });
  test('a long command does not own what it does not name', () => {
    expect(story('x\n').shell('npm test', 'x\ntyped meanwhile\n', { seconds: 120 }).commit()).toBe('.u');
    expect(story('x\n').shell('gen > src/a.ts', 'x\nmade slowly here\n', { seconds: 120 }).commit()).toBe('.a');
  });
  test('an edit by another agent while a command runs stays that agent’s', () => {
    const told = story('x\n').ai('x\nby the other\n', 's2');
    const file = told.file();
    const shell = { command: 'sleep 5', from: 10_500 };
    const window = { session: 's1', event: 'sh', from: 10_500, to: 20_000, explained: true };
    const change = { kind: 'full' as const, before: splitString('x\n'), after: splitString('x\nby the other\n') };
    const slow = { agent: { session: 's1', event: 'sh', tool: { name: 'claude-code' } }, at: 20_000, change, shell };
    const answers = joinFile({ ...file, edits: [...file.edits, slow], commands: [window], time: 30_000 }).answers;
    expect(answers.get(2)).toMatchObject({ agent: { session: 's2' } });
  });
});

describe('edits that do not show whole texts', () => {
  const hunk = (start: number, older: string[], newer: string[]) => ({ start, older, newer });
  test('hunks are placed by their line numbers', () => {
    const change = { kind: 'hunks' as const, hunks: [hunk(2, ['b'], ['b', 'new line'])] };
    const told = story('a\nb\nb\n').told(change, 'a\nb\nnew line\nb\n');
    expect(told.commit()).toBe('..a.');
    expect(told.answers().get(3)).toMatchObject({ evidence: 'replayed' });
  });
  test('else by a unique match', () => {
    const change = { kind: 'hunks' as const, hunks: [hunk(9, ['only here'], ['only here', 'new line'])] };
    expect(story('a\nonly here\n').told(change, 'a\nonly here\nnew line\n').commit()).toBe('..a');
  });
  test('else they wait in the pool, and are matched by content', () => {
    const change = { kind: 'hunks' as const, hunks: [hunk(9, ['not there'], ['brand new line'])] };
    const told = story('a\n').told(change, 'a\nbrand new line\n');
    expect(told.commit()).toBe('.a');
    expect(told.answers().get(2)).toMatchObject({ evidence: 'matched' });
  });
  test('replacements are replayed on known contents', () => {
    const change = { kind: 'replace' as const, pairs: [{ old: 'one', new: 'two\nthree', all: false }] };
    expect(story('zero\none\n').told(change, 'zero\ntwo\nthree\n').commit()).toBe('.aa');
  });
  test('a write over a text that nobody showed us proves nothing', () => {
    const change = { kind: 'write' as const, after: splitString('x\nmine perhaps\n') };
    expect(story('x\n').told(change, 'x\nmine perhaps\n').commit()).toBe('.u');
  });
  test('nor does one over a text that was seen before: a person may have typed in between', () => {
    const change = { kind: 'write' as const, after: splitString('x\nagent line\nmine perhaps\nanother line\n') };
    const life = story('x\n').ai('x\nagent line\n').human('x\nagent line\nmine perhaps\n');
    expect(life.told(change, 'x\nagent line\nmine perhaps\nanother line\n').commit()).toBe('.auu');
  });
  test('a write of a new file is the agent’s', () => {
    expect(
      story('')
        .told({ kind: 'write' as const, after: splitString('all new\n') }, 'all new\n')
        .commit(),
    ).toBe('a');
  });
});

describe('when there is no evidence', () => {
  test('capture was not active', () => {
    const { captureSince: _, ...file } = story('x\n').human('x\ny line\n').file();
    expect(joinFile({ ...file, doubt: 'capture was not active' }).answers.get(2)).toEqual({
      type: 'unknown',
      reason: 'capture was not active',
    });
  });
  test('typed before capture began', () => {
    expect(
      story('x\n')
        .human('x\nearly line\n')
        .ai('x\nearly line\nagent line\n')
        .commit(undefined, { captureSince: 9_000 }),
    ).toBe('.ua');
  });
  test('what stood there when capture began is seen at that time: what edits before it tell, they have written', () => {
    const told = { kind: 'replace' as const, pairs: [{ old: 'x\n', new: 'x\nagent line\n', all: false }] };
    const text = 'x\nagent line\nearly line\n';
    const early = { at: 13_500, text: splitString(text) };
    const life = story('x\n').told(told, 'x\nagent line\n').human(text).human(`${text}late\n`);
    expect(life.commit(undefined, { early })).toBe('.auh');
  });
  test('a gap before capture began is nobody’s', () => {
    const early = { at: 12_500, text: splitString('x\nearly line\nagent line\n') };
    expect(story('x\n').human('x\nearly line\n').ai('x\nearly line\nagent line\n').commit(undefined, { early })).toBe(
      '.ua',
    );
  });
  test('a text that was not shown exactly', () => {
    expect(
      story('x\n').human('x\nb\xff line\n').ai('x\nb\xff line\nagent line\n', 's1', { lossy: true }).commit(),
    ).toBe('.ua');
  });
});

describe('found by a sceptic', () => {
  test('a person saves another file while a command runs that names its own', () => {
    const file = story('x\n').shell('sleep 4; echo hi >> other.txt', 'x\ntyped meanwhile\n', { seconds: 4 }).file();
    const edits = file.edits.map((edit) => ({ ...edit, ...(edit.shell && { shell: { ...edit.shell, named: true } }) }));
    expect(joinFile({ ...file, edits }).answers.get(2)).toMatchObject({ type: 'unknown' });
    expect(joinFile({ ...file, path: 'src/other.txt', edits }).answers.get(2)).toMatchObject({ type: 'ai' });
  });
  test('an agent’s line that was thrown away and stands elsewhere now: its place is not proven', () => {
    const told = story('one\ntwo\nthree\n')
      .ai('one\ntwo\nthree\nconst t = 5;\n')
      .human('one\nconst t = 5;\ntwo\nthree\n');
    expect(told.answers().get(2)).toMatchObject({ type: 'unknown' });
    const long = story('one\ntwo\nthree\n')
      .ai('one\ntwo\nthree\nconst timeout = seconds(5);\n')
      .human('one\nconst timeout = seconds(5);\ntwo\nthree\n');
    expect(long.answers().get(2)).toMatchObject({ type: 'ai', evidence: 'matched' });
  });
});
