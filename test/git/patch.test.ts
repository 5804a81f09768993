import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffParser, parseDiffs } from '../../src/git/patch.ts';
import { parseRawLine } from '../../src/git/raw.ts';

const [A, B, C] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)];
const ZERO = '0'.repeat(40);

/** Output of git 2.39.5 and of 2.55.0 (the same bytes): a merge, with a link that becomes a file added by hand. */
const RECORDED = `commit ${A} ${B} ${C}

::100644 100644 100644 ${A} ${B} ${C} MM\tf\tf\tf

diff --combined f
index ${A},${B}..${C}
--- a/f
--- a/f
+++ b/f
@@@ -2,2 -2,2 +2,4 @@@
+ B1
 -c
 +B2
- c
++new
++c
=
=
commit ${B} ${A}

:100644 100755 ${A} ${A} M\tf
:120000 100644 ${A} ${B} T\tl

diff --git a/f b/f
old mode 100644
new mode 100755
diff --git a/l b/l
deleted file mode 120000
index ${A}..${ZERO}
--- a/l
+++ /dev/null
@@ -1 +0,0 @@
-f
\\ No newline at end of file
diff --git a/l b/l
new file mode 100644
index ${ZERO}..${B}
--- /dev/null
+++ b/l
@@ -0,0 +1 @@
+now a file
=
`;

test('recorded bytes', () => {
  const [merge, missing, change] = parseDiffs(Buffer.from(RECORDED));
  expect(merge?.parents).toEqual([B, C]);
  expect(merge?.files[0]).toMatchObject({
    path: 'f',
    oldBlob: A,
    newBlob: C,
    added: [{ start: 4, lines: ['new', 'c'] }],
    removed: [],
  });
  expect(missing).toBeUndefined();
  expect(change?.files.map(({ added, removed }) => [added, removed])).toEqual([
    [[], []],
    [[{ start: 1, lines: ['now a file'] }], []],
  ]);
});

test('bytes that end anywhere give the complete answers, and never more', () => {
  const bytes = Buffer.from(RECORDED);
  const whole = parseDiffs(bytes);
  for (let end = 0; end < bytes.length; end++) {
    const part = parseDiffs(bytes.subarray(0, end));
    expect(part, `cut at ${end}`).toEqual(whole.slice(0, part.length));
    expect(part.length).toBeLessThan(3);
  }
});

test('pieces that are cut where patches begin give the same, and tell of each file that has its lines', () => {
  const paths: string[] = [];
  const parse = diffParser(({ path }) => paths.push(path));
  const pieces = RECORDED.split(/(?<=\n)(?=diff --)/);
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.flatMap((piece) => parse(Buffer.from(piece)))).toEqual(parseDiffs(Buffer.from(RECORDED)));
  expect(new Set(paths)).toEqual(
    new Set(
      parseDiffs(Buffer.from(RECORDED))
        .flatMap((diff) => diff?.files ?? [])
        .map(({ path }) => path),
    ),
  );
});

test('hostile bytes do not fail', () => {
  const pieces = fc.constantFrom(
    'diff --git',
    '@@',
    '@@@ -1 -1',
    ' +9999,1 @@',
    'index ..',
    ':',
    '::',
    'commit ',
    '=',
    '\n',
    '+',
    '-',
    '\0',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      expect(Array.isArray(parseDiffs(Buffer.from(parts.join(''))))).toBe(true);
    }),
  );
});

test('context lines are counted, also blank ones without their space', () => {
  const patch = `commit ${A}\n\n:100644 100644 ${A} ${B} M\tf\n\ndiff --git a/f b/f\nindex ${A}..${B} 100644\n--- a/f\n+++ b/f\n@@ -1,3 +1,4 @@\n a\n\n+new\n c\n=\n`;
  expect(parseDiffs(Buffer.from(patch))[0]?.files[0]?.added).toEqual([{ start: 3, lines: ['new'] }]);
});

test('a merge removes what is gone from all parents at once', () => {
  const hunk = '@@@ -1,3 -1,2 +1,2 @@@\n  a\n--gone\n- mine\n++new\n';
  const patch = `commit ${A} ${B} ${C}\n\n::100644 100644 100644 ${A} ${B} ${C} MM\tf\tf\tf\n\ndiff --combined f\nindex ${A},${B}..${C}\n${hunk}=\n`;
  expect(parseDiffs(Buffer.from(patch))[0]?.files[0]).toMatchObject({
    added: [{ start: 2, lines: ['new'] }],
    removed: [{ start: 2, lines: ['gone'] }],
  });
});

test('raw lines', () => {
  expect(parseRawLine(`:100644 100644 ${A} ${B} R090\told\t"n\\303\\251w"`)).toEqual({
    path: 'néw',
    oldPath: 'old',
    status: 'R',
    oldBlob: A,
    newBlob: B,
    oldMode: '100644',
    newMode: '100644',
  });
  expect(parseRawLine(`::100644 100644 100755 ${A} ${B} ${C} MM\tx\ty\tz`)).toMatchObject({
    path: 'z',
    oldPath: 'x',
    oldBlob: A,
    newBlob: C,
    newMode: '100755',
  });
  expect(parseRawLine(`:000000 100644 ${ZERO} ${A} A\tf`)).toMatchObject({ oldBlob: null, newBlob: A });
  for (const line of ['', ':', ':1 2 3 4', `:100644 100644 ${A} ${B} X\tf`, `:100644 100644 ${A} ${B} M`]) {
    expect(parseRawLine(line), line).toBeUndefined();
  }
});

test('a new file is read as it is, however many lines it has and however they end', () => {
  const line = fc.stringMatching(/^[+@ =a-c\\\r-]{0,4}$/);
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), fc.boolean(), (lines, complete) => {
      const [body, end] = [lines.map((one) => `+${one}\n`).join(''), complete ? '' : '\\ No newline at end of file\n'];
      const head = `diff --git a/f b/f\nnew file mode 100644\nindex ${ZERO}..${A}\n--- /dev/null\n+++ b/f\n`;
      const count = lines.length === 1 ? '' : `,${lines.length}`;
      const other = `diff --git a/g b/g\nnew file mode 100644\nindex ${ZERO}..${B}\n@@ -0,0 +1 @@\n+g\n`;
      const raw = `:000000 100644 ${ZERO} ${A} A\tf\n:000000 100644 ${ZERO} ${B} A\tg\n`;
      const text = `commit ${C}\n\n${raw}\n${head}@@ -0,0 +1${count} @@\n${body}${end}${other}=\n`;
      const [found] = parseDiffs(Buffer.from(text, 'latin1'));
      const blocks = found?.files.map(({ added }) => added);
      expect(blocks).toEqual([
        [{ start: 1, lines: lines.map((one) => one.replace(/\r$/, '')) }],
        [{ start: 1, lines: ['g'] }],
      ]);
    }),
    { numRuns: 1000 },
  );
});
