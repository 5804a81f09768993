import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type PatchedFile, parsePatch } from '../../src/capture/apply-patch.ts';
import { applyReplacements } from '../../src/join/apply.ts';

const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
const pair = (old: string, fresh: string) => ({ old, new: fresh, all: false });
const update = (file: string, ...pairs: ReturnType<typeof pair>[]): PatchedFile => ({
  path: file,
  kind: 'update',
  pairs,
});

const UPDATE = patch('*** Update File: a.ts', '@@', ' one', '-two', '+2');
const UPDATED = [update('a.ts', pair('one\ntwo\n', 'one\n2\n'))];

const GOOD: readonly (readonly [string, string, PatchedFile[]])[] = [
  [
    'a new file',
    patch('*** Add File: src/a b.ts', '+one', '+', '+ three'),
    [{ path: 'src/a b.ts', kind: 'add', text: 'one\n\n three\n' }],
  ],
  ['a new empty file', patch('*** Add File: a'), [{ path: 'a', kind: 'add', text: '' }]],
  ['a file deleted', patch('*** Delete File: a.ts'), [{ path: 'a.ts', kind: 'delete' }]],
  ['a change', UPDATE, UPDATED],
  ['the first @@ left out', patch('*** Update File: a.ts', ' one', '-two', '+2'), UPDATED],
  ['CR LF', UPDATE.replaceAll('\n', '\r\n'), UPDATED],
  ['blanks around the markers', ` ${UPDATE} \n\n`, UPDATED],
  ['no end', UPDATE.replace('\n*** End Patch', ''), UPDATED],
  ['words after the end', `${UPDATE}\nand more`, UPDATED],
  ['an environment', patch('*** Environment ID: x', '*** Delete File: a'), [{ path: 'a', kind: 'delete' }]],
  [
    'several changes, one with its place, one at the end',
    patch('*** Update File: a', '@@ class A', '@@ method()', '-1', '+one', '', '@@', ' 8', '+9', '*** End of File'),
    [update('a', pair('1\n', 'one\n'), pair('8\n', '8\n9\n'))],
  ],
  [
    'empty lines without their sign',
    patch('*** Update File: a', '@@', ' 1', '', '-2', '+two', '', ''),
    [update('a', pair('1\n\n2\n', '1\n\ntwo\n'))],
  ],
  ['a change that changes nothing', patch('*** Update File: a', '@@', '-1', '+1'), [update('a', pair('1\n', '1\n'))]],
  [
    'a place without a change',
    patch('*** Update File: a', '@@', ' 1', '@@', '-2', '+two'),
    [update('a', pair('2\n', 'two\n'))],
  ],
  ['nothing but new lines', patch('*** Update File: a', '@@', '+1'), [update('a', pair('', '1\n'))]],
  ['nothing but old lines', patch('*** Update File: a', '@@', '-1'), [update('a', pair('1\n', ''))]],
  [
    'a file moved and changed',
    patch('*** Update File: a', '*** Move to: b/c', '@@', '-1', '+2'),
    [{ ...update('a', pair('1\n', '2\n')), movedTo: 'b/c' }],
  ],
  ['a file moved', patch('*** Update File: a', '*** Move to: b'), [{ ...update('a'), movedTo: 'b' }]],
  [
    'several files, one with a text that looks like a patch',
    patch('*** Update File: a', '@@', ' *** Delete File: x', '-1', ' *** Delete File: b', '*** Delete File: c'),
    [
      update('a', pair('*** Delete File: x\n1\n*** Delete File: b\n', '*** Delete File: x\n*** Delete File: b\n')),
      { path: 'c', kind: 'delete' },
    ],
  ],
];

describe('a patch is read', () => {
  test.each(GOOD)('%s', (_, text, files) => {
    expect(parsePatch(text)).toEqual(files);
  });

  test.each([
    ["apply_patch <<'EOF'", 'a.ts'],
    ['apply_patch <<"EOF"', 'a.ts'],
    ['apply_patch << EOF', 'a.ts'],
    ['applypatch <<EOF', 'a.ts'],
    ["<<'EOF'", 'a.ts'],
    ["cd src && apply_patch <<'EOF'", 'src/a.ts'],
    ["cd 'my src/' && apply_patch <<'EOF'", 'my src/a.ts'],
    ['cd "/my src" && apply_patch <<\'EOF\'', '/my src/a.ts'],
  ])('inside a heredoc: %s', (start, file) => {
    expect(parsePatch(`${start}\n${UPDATE}\nEOF\n`)).toEqual([{ ...UPDATED[0], path: file }]);
  });

  test('an absolute path is not in the heredoc’s folder, where a file goes is', () => {
    const text = patch('*** Delete File: /x/a', '*** Update File: b', '*** Move to: c', '-1', '+2');
    const files = parsePatch(`cd src && apply_patch <<'E'\n${text}\nE`);
    expect(files?.map((file) => [file.path, file.movedTo])).toEqual([
      ['/x/a', undefined],
      ['src/b', 'src/c'],
    ]);
  });
});

describe('what is no patch is not read', () => {
  test.each([
    ['nothing', ''],
    ['words', 'please *** Begin Patch'],
    ['no file', patch()],
    ['an unknown header', patch('*** Frobnicate File: a')],
    ['an update of nothing', patch('*** Update File: a')],
    ['a line without a sign', patch('*** Update File: a', '@@', '-1', 'x')],
    ['a new file’s line without a sign', patch('*** Add File: a', '+1', 'x')],
    ['a deleted file with lines', patch('*** Delete File: a', '-1')],
    ['no path', patch('*** Add File: ', '+1')],
    ['another command before it', `npm test; apply_patch <<'EOF'\n${UPDATE}\nEOF`],
    ['another command after it', `apply_patch <<'EOF'\n${UPDATE}\nEOF\nnpm test`],
  ])('%s', (_, text) => {
    expect(parsePatch(text)).toBeUndefined();
  });

  test('nor does it take long to see that', () => {
    const long = 'x\n'.repeat(300_000);
    for (const text of [long, '\n'.repeat(600_000), 'EOF\n '.repeat(100_000), ' '.repeat(600_000)]) {
      parsePatch(patch('*** Update File: a', text));
      parsePatch(`cd x && apply_patch <<'EOF'\n*** Begin Patch\n${text}\n`);
    }
  }, 5000);
});

const linesOf = (text: string) => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/));
const SCENARIOS = path.join(import.meta.dirname, '..', '..', '..', 'shared/samples/codex/apply-patch-scenarios');

/** Codex’s own cases: what a patch makes of a folder. */
describe.skipIf(!fs.existsSync(SCENARIOS))(
  'Codex’s own cases (left out where they are not beside the repository)',
  () => {
    const folders = fs.existsSync(SCENARIOS) ? fs.readdirSync(SCENARIOS).filter((name) => /^\d/.test(name)) : [];
    const read = (folder: string) => {
      if (!fs.existsSync(folder)) return {};
      const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
      const files = names.filter((name) => fs.statSync(path.join(folder, name)).isFile());
      return Object.fromEntries(files.map((name) => [name, linesOf(fs.readFileSync(path.join(folder, name), 'utf8'))]));
    };

    test.each(folders)('%s', (name) => {
      const files = parsePatch(fs.readFileSync(path.join(SCENARIOS, name, 'patch.txt'), 'utf8'));
      const before = read(path.join(SCENARIOS, name, 'input'));
      const after = read(path.join(SCENARIOS, name, 'expected'));
      if (/_rejects_(?:empty_patch|empty_update|invalid)/.test(name)) expect(files).toBeUndefined();
      else expect(files).toBeDefined();
      // what our timelines cannot place: lines without old ones, CR as a line end
      if (!/pure_addition|mixed_line_endings/.test(name)) expect(applied(before, files ?? [])).toEqual(after);
    });
  },
);

type Folder = Readonly<Record<string, readonly string[]>>;

/** The folder after the patch, as far as it can be applied. */
function applied(before: Folder, files: readonly PatchedFile[]): Folder {
  const folder: Record<string, readonly string[]> = { ...before };
  for (const file of files) {
    const had = folder[file.path];
    if (file.kind === 'add') folder[file.path] = linesOf(file.text ?? '');
    if (file.kind === 'add' || !had) continue;
    const lines = file.kind === 'update' ? applyReplacements(had, file.pairs ?? []) : undefined;
    if (file.kind === 'update' && !lines) continue;
    delete folder[file.path];
    if (lines) folder[file.movedTo ?? file.path] = lines;
  }
  return folder;
}
