import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Answer, type FileJoin, joinFile } from '../../src/join/file.ts';
import type { TimelineEdit } from '../../src/join/timeline.ts';
import type { Lines } from '../../src/lines/text.ts';

const agent = { session: 's', event: 'e', tool: { name: 'x' } };

function fileOf(text: Lines, after: Lines, more: Partial<FileJoin>, edit: Partial<TimelineEdit>): FileJoin {
  return {
    ...{
      path: 'f',
      base: [],
      text,
      added: [{ start: 1, end: text.length }],
      ancestors: new Map(),
      time: 1000,
      baseTime: 10,
    },
    ...{ shellSeconds: 10, commands: [], captureSince: 5, placed: [] },
    edits: [{ agent, at: 100, change: { kind: 'full', before: null, after }, ...edit }],
    ...more,
  };
}

/** Where the text after the edit is another list of the same lines, the edit is played. */
test('a new file that one edit wrote as it was committed gets the answers that playing it gives', () => {
  const line = fc.constantFrom('alpha beta gamma', 'return null;', '}', '', '<<<<<<< a', '=======', '>>>>>>> b');
  const unexplained = { session: 's', event: 'c', from: 50, to: 2000, explained: false };
  const more = fc.constantFrom<Partial<FileJoin>>(
    ...[{}, { commands: [unexplained] }, { doubt: 'why' }, { time: 99 }, { base: ['alpha beta gamma'] }],
    ...[{ early: { at: 7, text: ['}'] } }, { placed: [{ at: 50, text: ['return null;'] }] }],
    ...[{ ancestors: new Map([['id', 5000]]) }, { added: [{ start: 1, end: 60 }] }],
  );
  const edit = fc.constantFrom<Partial<TimelineEdit>>(
    ...[{}, { userModified: true }, { lossy: true }, { elsewhere: 'g' }, { afterId: 'id' }],
    ...[
      { shell: { command: 'cat > f', from: 60 } },
      { copied: new Map<number, Answer>([[0, { type: 'human', evidence: 'observed' }]]) },
    ],
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), more, edit, (text, about, how) => {
      const [quick, played] = [text, [...text]].map((after) => joinFile(fileOf(text, after, about, how)));
      expect([...(quick?.answers ?? [])]).toEqual([...(played?.answers ?? [])]);
      expect(quick?.whole).toEqual(played?.whole);
      expect(quick?.postProcessing).toEqual(played?.postProcessing);
    }),
    { numRuns: 2000 },
  );
});
