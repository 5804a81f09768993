import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversationLink, wholeConversation } from '../../src/page/link.ts';
import { cut, html, name, visible } from '../../src/page/markup.ts';
import { anyText } from './hostile.ts';

const text = (address: string) => conversationLink(address)?.markup;

describe('markup', () => {
  it('escapes what it is given and nothing that it made', () => {
    const inner = html`<b>${'<i>'}</b>`;
    expect(html`<p title="${'"\'&'}">${inner}${[inner]}${7}${undefined}</p>`.markup).toBe(
      '<p title="&quot;&#39;&amp;"><b>&lt;i&gt;</b><b>&lt;i&gt;</b>7</p>',
    );
  });

  it('leaves no line break of ours between elements, and a blank between words', () => {
    expect(
      html`<p>
      <b>one</b>
      two
      three</p>`.markup,
    ).toBe('<p><b>one</b> two three</p>');
  });

  it('shows what would act on the page', () => {
    expect(visible('a\u202egpj.exe\u0000\u200b\u2066')).toBe('a<U+202E>gpj.exe<U+0000><U+200B><U+2066>');
    expect(visible('\ud800x')).toBe('<U+D800>x');
    expect(visible('Zoë 李雷 מבוא 👩‍💻')).toBe('Zoë 李雷 מבוא 👩‍💻');
    expect(name('מבוא').markup).toBe('<bdi>מבוא</bdi>');
  });

  it('cuts between characters', () => {
    expect(cut('abcdef', 6)).toBe('abcdef');
    expect(cut('abcdefg', 6)).toBe('abcde…');
    expect(cut('abcd👩gg', 6)).toBe('abcd…');
  });

  it('no text gets out of an element or an attribute', () => {
    fc.assert(
      fc.property(anyText, (hostile) => {
        const { markup } = html`<p title="${hostile}">${hostile}</p>`;
        expect(markup).toMatch(/^<p title="[^"<>]*">[^<>]*<\/p>$/u);
        expect(visible(hostile)).not.toMatch(/[\x00-\x1f\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });
});

describe('conversations', () => {
  it('the web is a link', () => {
    expect(text('https://talk.example.com/s/1?a=1&b="2"#e')).toBe(
      '<a href="https://talk.example.com/s/1?a=1&amp;b=%222%22#e" rel="noopener noreferrer"><bdi>talk.example.com</bdi>&#8239;↗</a>',
    );
  });

  it('what is stored in the repository is a command', () => {
    expect(text('agentlog:s1#toolu_2')).toBe(
      '<code class="command">git agent show <bdi>agentlog:s1#toolu_2</bdi></code>',
    );
    expect(wholeConversation('agentlog:s1#toolu_2')).toBe('agentlog:s1');
    expect(wholeConversation('https://x.example/a#b')).toBe('https://x.example/a#b');
  });

  it('a command that is copied into a shell stays one word', () => {
    expect(text("agentlog:s;rm -rf '$HOME'")).toContain(
      'agentlog:s;rm -rf &#39;\\&#39;&#39;$HOME&#39;\\&#39;&#39;&#39;</bdi>',
    );
    expect(text('agentlog:a\nb')).toContain('&#39;agentlog:a&lt;U+000A&gt;b&#39;');
  });

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'JAVASCRIPT:x',
    'data:text/html,x',
    'file:///etc/passwd',
    'https:/x',
    '//x',
  ])('%j is text', (address) => {
    expect(text(address)).toMatch(/^<code>/);
    expect(text(address)).not.toContain('href');
  });

  it('says of an endless address only that it is one', () => {
    expect(text(`https://x.example/${'a'.repeat(5000)}`)).toContain('address of 5018 characters');
    expect(conversationLink(undefined)).toBeUndefined();
  });

  it('every link leads to the web', () => {
    const scheme = fc.constantFrom('', 'https://', 'HTTP://a', 'https:', 'javascript:', 'agentlog:', '\thttps://');
    fc.assert(
      fc.property(scheme, anyText, (before, rest) => {
        const address = before + rest;
        const [, href = 'https://'] = /href="([^"]*)"/.exec(text(address) ?? '') ?? [];
        expect(href).toMatch(/^https?:\/\//);
      }),
    );
  });
});
