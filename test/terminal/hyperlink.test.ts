import { describe, expect, it } from 'vitest';
import {
  lessOptions,
  lessPassesLinks,
  linkWith,
  passesEscapes,
  wantsHyperlinks,
} from '../../src/terminal/hyperlink.ts';

describe('links are printed', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['nothing is known', { TERM: 'xterm-256color' }, false],
    ['iTerm2 3.1', { TERM_PROGRAM: 'iTerm.app', TERM_PROGRAM_VERSION: '3.1.0' }, true],
    ['iTerm2 3.0', { TERM_PROGRAM: 'iTerm.app', TERM_PROGRAM_VERSION: '3.0.15' }, false],
    ['VS Code', { TERM_PROGRAM: 'vscode', TERM_PROGRAM_VERSION: '1.102.0' }, true],
    ['old VS Code', { TERM_PROGRAM: 'vscode', TERM_PROGRAM_VERSION: '1.71.9' }, false],
    ['WezTerm', { TERM_PROGRAM: 'WezTerm', TERM_PROGRAM_VERSION: '20240203-110809' }, true],
    ['Terminal.app', { TERM_PROGRAM: 'Apple_Terminal', TERM_PROGRAM_VERSION: '455' }, false],
    ['VTE 0.76', { VTE_VERSION: '7600' }, true],
    ['VTE 0.50', { VTE_VERSION: '5000' }, false],
    ['kitty', { TERM: 'xterm-kitty' }, true],
    ['Windows Terminal', { WT_SESSION: 'a' }, true],
    ['tmux 3.4', { TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: '3.4', TMUX: '/tmp/t' }, true],
    ['tmux 3.3a', { TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: '3.3a', TMUX: '/tmp/t' }, false],
    ['screen in VTE', { VTE_VERSION: '7600', STY: '1.x', TERM: 'screen' }, false],
    ['a dumb terminal', { VTE_VERSION: '7600', TERM: 'dumb' }, false],
  ])('%s', (_, env, wanted) => {
    expect(wantsHyperlinks({ asked: undefined, isTTY: true, env })).toBe(wanted);
    expect(wantsHyperlinks({ asked: undefined, isTTY: false, env })).toBe(false);
    expect(wantsHyperlinks({ asked: 'always', isTTY: false, env })).toBe(true);
    expect(wantsHyperlinks({ asked: 'never', isTTY: true, env })).toBe(false);
  });

  it.each([
    ['less', 'FRX', true],
    ['less', '-R', true],
    ['less', 'F', false],
    ['less', '--quit-if-one-screen', false],
    ['less', '-Pr', false],
    ['less -FRX', '', true],
    ['/usr/bin/less --RAW-CONTROL-CHARS', '', true],
    ['pager', 'FRX', true],
    ['less -F', '', false],
    ['less -R | tee a', 'R', undefined],
    ['lesspipe', 'R', undefined],
    ['delta', 'R', undefined],
  ])('the pager %s with LESS=%s passes escapes: %s', (command, less, passes) => {
    const options = lessOptions(command);
    expect(options && passesEscapes(options, less)).toBe(passes);
  });

  it.each([
    ['less 590 (GNU regular expressions)\n', true],
    ['less 581.2 (POSIX regular expressions)', true],
    ['less 551 (GNU regular expressions)', false],
    ['BusyBox', false],
    ['', false],
  ])('through %s: %s', (said, passes) => expect(lessPassesLinks(said)).toBe(passes));
});

describe('a link', () => {
  const link = linkWith(true);

  it('leads to an address of the web', () => {
    expect(link('x', 'https://example.com/s/1?e=2#3')).toBe(
      '\x1b]8;;https://example.com/s/1?e=2#3\x1b\\x\x1b]8;;\x1b\\',
    );
  });

  it.each([
    'agentlog:s1#e1',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://',
    ' https://example.com',
    'https://example.com@evil.example/',
    `https://example.com/${'a'.repeat(3000)}`,
    `https://example.com/${'é'.repeat(1000)}`,
  ])('is none for %s', (address) => expect(link('x', address)).toBe('x'));

  it('lets no escape through, and is none unless asked for', () => {
    const made = link('x', 'https://example.com/\x1b\\\x07\x1b]0;t\x07é');
    expect(made.replace(/^\x1b\]8;;[\x21-\x7e]*\x1b\\x\x1b\]8;;\x1b\\$/, '')).toBe('');
    expect(made.match(/\x1b/g)).toHaveLength(4);
    expect(linkWith(false)('x', 'https://example.com')).toBe('x');
    expect(link('x', undefined)).toBe('x');
  });
});
