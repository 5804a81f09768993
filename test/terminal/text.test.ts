import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWhen, wantsColour } from '../../src/terminal/colour.ts';
import { plain, plainLines, visible } from '../../src/terminal/plain.ts';
import { cut, pad, widthOf, wrap } from '../../src/terminal/width.ts';

describe('escapes', () => {
  it.each([
    ['a colour', 'a\x1b[1;31mb\x1b[0mc', 'abc'],
    ['a title, ended by BEL', 'a\x1b]0;evil\x07b', 'ab'],
    ['a title, ended by ST', 'a\x1b]52;c;ZXZpbA==\x1b\\b', 'ab'],
    ['a sequence that never ends', 'a\x1b]0;evil', 'a'],
    ['one-byte CSI', 'a\x9b31mb', 'ab'],
    ['a two-character escape', 'a\x1bcb', 'ab'],
    ['line ends and tabs', 'a\r\n\tb', 'a b'],
    ['text shown backwards', 'a\u202eb\u2066c', 'abc'],
    ['nothing to do', '山田 é 👩‍💻', '山田 é 👩‍💻'],
    ['an order to a runner of CI jobs', ' ::error file=a::b', '"::error file=a::b"'],
    [
      'one that counts anywhere in a line',
      'a ##[stop-commands]x/##VSO[task.x]',
      'a # #[stop-commands]x/# #VSO[task.x]',
    ],
    ['a heading', '## [link]', '## [link]'],
  ])('plain: %s', (_, text, result) => expect(plain(text)).toBe(result));

  it('no order to a runner comes about by what is taken out', () => {
    for (const between of ['\u202e', '\x1b[0m', '\x1b]0;x\x07']) {
      const text = `a #${between}#[stop-commands]x`;
      expect([plain(text), ...plainLines(text)]).toEqual(['a # #[stop-commands]x', 'a # #[stop-commands]x']);
    }
  });

  it('whatever comes, no control character leaves', () => {
    const nasty = fc.string({
      unit: fc.constantFrom(
        '\x1b',
        '[',
        ']',
        '3',
        'm',
        '\x07',
        '\x9b',
        '\x9d',
        '\\',
        '\n',
        '\t',
        '\r',
        'a',
        '\u202e',
        '\0',
      ),
    });
    fc.assert(
      fc.property(nasty, (text) => {
        expect(plain(text)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
        expect(visible(text)).not.toMatch(/[\x00-\x08\x0a-\x1f\x7f-\x9f\u202e]/);
        expect(plainLines(text).join('')).not.toMatch(/[\x00-\x08\x0a-\x1f\x7f-\x9f\u202e]/);
      }),
    );
  });

  it('visible loses nothing of ordinary text', () => {
    const words = fc.string({ unit: fc.constantFrom('a', ' ', '\t', '山', 'é', '👍', '~', '\u00a0') });
    fc.assert(
      fc.property(words, (text) => {
        expect(visible(text)).toBe(text);
      }),
    );
  });

  it('lines stay lines', () => expect(plainLines('a\r\nb\x1b[1m\n\n\tc ')).toEqual(['a', 'b', '', '\tc']));
});

describe('width', () => {
  it.each([
    ['abc', 3],
    ['', 0],
    ['山田', 4],
    ['ｱ', 1],
    ['Ａ', 2],
    ['e\u0301', 1],
    ['한글', 4],
    ['👍', 2],
    ['👩‍💻', 2],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['\u200b', 0],
    ['Ωé', 2],
  ])('%s takes %i cells', (text, cells) => expect(widthOf(text)).toBe(cells));

  it('pad reaches the width and cut does not go beyond it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '山', 'e\u0301', '👍', ' ') }),
        fc.integer({ min: 1, max: 20 }),
        (text, width) => {
          expect(widthOf(pad(text, width))).toBe(Math.max(width, widthOf(text)));
          expect(pad(text, width, 'start').endsWith(text)).toBe(true);
          expect(widthOf(cut(text, width))).toBeLessThanOrEqual(width);
        },
      ),
    );
    expect(cut('abcdef', 4)).toBe('abc…');
  });

  it('wrap breaks at spaces and loses no word', () => {
    expect(wrap('one two three four', 9)).toEqual(['one two', 'three', 'four']);
    expect(wrap('a verylongword b', 5)).toEqual(['a', 'verylongword', 'b']);
    expect(wrap('', 5)).toEqual(['']);
  });
});

describe('colours', () => {
  const at = (over: Partial<Parameters<typeof wantsColour>[0]>) =>
    wantsColour({ asked: undefined, configured: undefined, isTTY: true, env: { TERM: 'xterm' }, ...over });

  it.each<[string, Parameters<typeof at>[0], boolean]>([
    ['a terminal', {}, true],
    ['a pipe', { isTTY: false }, false],
    ['a dumb terminal', { env: { TERM: 'dumb' } }, false],
    ["git's own pager", { isTTY: false, env: { TERM: 'xterm', GIT_PAGER_IN_USE: 'true' } }, true],
    ['NO_COLOR', { env: { TERM: 'xterm', NO_COLOR: '1' } }, false],
    ['an empty NO_COLOR', { env: { TERM: 'xterm', NO_COLOR: '' } }, true],
    ['--color beats NO_COLOR and pipes', { asked: 'always', isTTY: false, env: { NO_COLOR: '1' } }, true],
    ['--no-color', { asked: 'never' }, false],
    ['--no-color beats color.ui', { asked: 'never', configured: 'always' }, false],
    ['color.ui=false', { configured: 'false' }, false],
    ['color.ui=always in a pipe', { configured: 'always', isTTY: false }, true],
    ['color.ui=true', { configured: 'true' }, true],
    ['color.ui=nonsense', { configured: 'pink' }, true],
  ])('%s', (_, over, wanted) => expect(at(over)).toBe(wanted));

  it('knows no other words', () => expect(parseWhen('constructor')).toBeUndefined());
});
