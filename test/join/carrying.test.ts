import { describe, expect, test } from 'vitest';
import { carriesContents, linesSaid } from '../../src/join/carrying.ts';

describe('what a command brings from elsewhere', () => {
  test.each([
    ['mv ../pd/outside.txt f.txt', true],
    ['cp -r ../pd f.txt', true],
    ['install -m 644 ../pd/outside.txt f.txt', true],
    ['cat > f.txt < ../pd/outside.txt', true],
    ['cat a.txt >> f.txt', true],
    ['tee f.txt < ../pd/outside.txt', true],
    ['cat a.txt | sort | tee f.txt', true],
    ['tail -2 q.txt > f.txt', true],
    ['git show side:a.txt > f.txt', true],
    ['git -C . cat-file -p side:a.txt > f.txt', true],
    ["bash -lc 'cp a.txt f.txt'", true],
    ['mkdir -p x && cp a.txt f.txt && git add -A && git commit -m x', true],
    ['cp a.txt f.txt; echo more >> f.txt', true],
    ['cp a.txt f.txt; sed -i s/a/b/ g.txt', true],
    ['for f in a b; do cp $f f.txt; done', true],
    ['pbpaste > f.txt', true],
    ['ssh host cat a.txt > f.txt', true],
    ['cp a.txt f.txt; sed -i s/a/b/ f.txt', false],
    ['sed s/a/b/ a.txt > f.txt', false],
    ['cat a.txt | sed s/a/b/ > f.txt', false],
    ['echo hi > f.txt', false],
    ['echo hi | tee f.txt', false],
    ['make gen | tee f.txt', false],
    ['cat <(make gen) > f.txt', false],
    ["cat > f.txt <<'EOF'\ncp a b\nEOF", false],
    ['python3 copy.py f.txt', false],
    ["yes 'a line' | head -c 500 > f.txt", false],
    ['git log > f.txt', false],
    ['make all', false],
  ])('%s carries: %s', (command, expected) => expect(carriesContents(command, 'f.txt')).toBe(expected));
});

describe('what a command says itself', () => {
  test.each([
    ["printf 'one line\\ntwo lines\\n' > f", ['one line', 'two lines'], true],
    ['echo agent nine below >> f', ['agent nine below'], true],
    ['echo "say \\"hi\\" to it" >> f', ['say "hi" to it'], true],
    ["cat > f <<'EOF'\n  it's here\nand é\nEOF", ["  it's here", 'and \xc3\xa9'], true],
    ['cat base.txt >> f', ['base', 'base.txt', 'cat'], false],
  ])('%s', (command, lines, expected) => {
    for (const line of lines) expect([line, linesSaid(command)(line)]).toEqual([line, expected]);
  });
});
