import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentLogDocument, AgentLogEvent } from '../../src/agentlog/document.ts';
import type { AnnotatedLine } from '../../src/blame/annotate.ts';
import { decodePath } from '../../src/git/paths.ts';
import { conversationAddress, eventAnchor, fileAddress, lineAddress } from '../../src/page/browse/address.ts';
import { printConversation } from '../../src/page/browse/conversation.ts';
import { printFile } from '../../src/page/browse/file.ts';
import { entriesOf, printFolder } from '../../src/page/browse/tree.ts';
import { parseRoute } from '../../src/serve/route.ts';
import { anyText } from '../page/hostile.ts';

const SETTING = { repository: 'demo', version: '1' };
const ID = '1'.repeat(40);

function message(id: string, content: string): AgentLogEvent {
  return { type: 'message', id, timestamp: '2026-03-02T10:00:00Z', role: 'user', content };
}

function document(events: readonly AgentLogEvent[]): AgentLogDocument {
  const agent = { name: 'claude-code' };
  return { specVersion: '0.2.0', id: 's1', startTime: '2026-03-02T10:00:00Z', status: 'active', agent, events };
}

function lineOf(text: string, line: number, session: string): AnnotatedLine {
  const blamed = {
    line,
    originalLine: line,
    text: Buffer.from(text).toString('latin1'),
    commit: ID,
    originalFile: text,
    author: text,
    authorMail: text,
    authorTime: 0,
    authorZone: '+0000',
    summary: text,
    boundary: false,
    uncommitted: false,
  };
  const agent = { session, event: text, tool: { name: text }, model: text };
  return { blamed, origin: { type: 'ai', evidence: 'observed', agent }, via: 'note', conversation: text };
}

/** Elements and attributes that a page may have: what a name adds would be among the others. */
function strange(html: string): string[] {
  const tags = [
    ...html.matchAll(/<\/?([a-zA-Z!][\w-]*)((?:\s+[\w-]+(?:="[^"<>]*")?)*)\s*\/?>|<|[\x00-\x08\x0b-\x1f\x7f]/g),
  ];
  const known =
    /^(?:!doctype|html|head|meta|title|link|body|a|svg|defs|pattern|rect|circle|g|text|header|p|bdi|nav|ul|li|main|h[12]|small|code|span|table|caption|thead|tbody|tr|td|th|div|footer|article|pre|dl|dt|dd)$/i;
  return tags
    .filter(([, tag, rest = '']) => !tag || !known.test(tag) || /\s(?:on\w+|style|src)\b/.test(rest))
    .map(([all]) => all);
}

describe('pages with any names in them', () => {
  it('a file', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, session) => {
        const lines = [lineOf(text, 1, session), lineOf(text, 2, '')];
        const page = printFile(
          { path: text, commit: ID, lines, from: 1, total: 2 },
          { ...SETTING, at: text || undefined },
        );
        expect(strange(page)).toEqual([]);
      }),
    );
  });

  it('a folder', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, folder) => {
        const entries = entriesOf({ folder: '', paths: [text, `${folder}/${text}`], counts: new Map() });
        expect(strange(printFolder({ folder, commit: ID, entries }, { ...SETTING, repository: text }))).toEqual([]);
      }),
    );
  });

  it('a conversation', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, id) => {
        const base = { id, timestamp: text };
        const events: AgentLogEvent[] = [
          message(id, text),
          { type: 'toolCall', ...base, name: text, input: { [text]: text }, status: 'error' },
          { type: 'fileOperation', ...base, operation: 'edit', path: text, diff: `@@\n+${text}\n-${text}` },
          { type: 'terminalCommand', ...base, command: text },
          { type: 'error', ...base, message: text, resolved: false },
        ];
        const page = printConversation({ document: document(events), event: id, files: new Set([text]) }, SETTING);
        expect(strange(page.replace(/<\/?(?:ins|del)>/g, ''))).toEqual([]);
        // one place for one id
        expect(page.split(`id="${eventAnchor(id)}"`)).toHaveLength(2);
      }),
    );
  });

  it('would notice a name that got out', () => {
    expect(strange('<p><img src=x onerror=alert(1)></p>')).not.toEqual([]);
    expect(strange('<p onclick="x">')).not.toEqual([]);
    expect(strange('<p>a < b</p>')).not.toEqual([]);
  });
});

describe('addresses', () => {
  const route = (address: string) => parseRoute(new URL(`http://127.0.0.1:1${address}`));

  it('lead back to names of any bytes', () => {
    const byte = fc.integer({ min: 1, max: 255 }).filter((code) => code !== 0x2f);
    fc.assert(
      fc.property(fc.array(byte, { minLength: 3, maxLength: 20 }), (bytes) => {
        const path = decodePath(Buffer.from(bytes));
        expect(route(fileAddress(path, undefined))).toEqual({ page: 'file', path, at: undefined, from: 1 });
      }),
    );
  });

  it('lead back to what they were made of', () => {
    // a path of git's: no empty parts, none that is a dot or two
    const part = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/^\.{1,2}$|[/\0]/.test(text));
    const wellFormed = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), wellFormed, (parts, id) => {
        const path = decodePath(Buffer.from(parts.join('/')));
        expect(route(fileAddress(path, id))).toEqual({ page: 'file', path, at: id, from: 1 });
        expect(route(lineAddress(path, id, 15_000))).toEqual({ page: 'file', path, at: id, from: 10_001 });
        expect(route(conversationAddress(`s${id}`, id))).toEqual({
          page: 'conversation',
          session: `s${id}`,
          event: id,
        });
      }),
    );
  });
});

it.each([
  [1, '/file/a.ts?from=1#L1'],
  [10_000, '/file/a.ts?from=1#L10000'],
  [10_001, '/file/a.ts?from=10001#L10001'],
  [15_000, '/file/a.ts?from=10001#L15000'],
])('line %i of a long file is at %s', (line, address) => expect(lineAddress('a.ts', undefined, line)).toBe(address));

describe('a folder', () => {
  it('counts every file below it once', () => {
    const paths = fc.uniqueArray(fc.stringMatching(/^[ab]{1,2}(?:\/[ab]{1,2}){0,2}$/), { maxLength: 30 });
    fc.assert(
      fc.property(paths, (all) => {
        // a name is a file or a folder, never both
        const files = all.filter((one) => !all.some((other) => other.startsWith(`${one}/`)));
        const counts = new Map(files.map((file) => [file, { total: 2, ai: 1, human: 1, mixed: 0, unknown: 0 }]));
        const entries = entriesOf({ folder: '', paths: files, counts });
        expect(entries.reduce((sum, entry) => sum + entry.files, 0)).toBe(files.length);
        expect(entries.reduce((sum, entry) => sum + (entry.counts?.total ?? 0), 0)).toBe(2 * files.length);
        for (const { path, folder } of entries) {
          expect(entriesOf({ folder: path, paths: files, counts }).length > 0).toBe(folder);
        }
      }),
    );
  });

  it('says how far the counting is', () => {
    const page = printFolder({ folder: '', commit: ID, entries: [], counting: { done: 3, of: 1200 } }, SETTING);
    expect(page).toContain('still being counted: 3 of 1,200 files');
  });
});

describe('a long conversation', () => {
  const events = Array.from({ length: 2000 }, (_, i) => message(`e${i}`, `said ${i}`));

  it.each([
    [undefined, 0, 399],
    ['e1500', 1400, 1799],
    ['e1999', 1899, 1999],
    ['gone', 0, 399],
  ])('shows the part around step %s, and the ways on', (event, first, last) => {
    const page = printConversation({ document: document(events), event, files: new Set() }, SETTING);
    const shown = [...page.matchAll(/id="e-e(\d+)"/g)].map(([, n]) => Number(n));
    expect([shown[0], shown.at(-1)]).toEqual([first, last]);
    expect(page.includes('Earlier steps')).toBe(first > 0);
    expect(page.includes('Later steps')).toBe(last < 1999);
  });

  it('cuts a message that is too long', () => {
    const page = printConversation(
      { document: document([message('e', 'x'.repeat(50_000))]), files: new Set() },
      SETTING,
    );
    expect(page.length).toBeLessThan(45_000);
    expect(page).toContain('10,000 further characters left out.');
  });
});
