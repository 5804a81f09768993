import { describe, expect, test } from 'vitest';
import {
  cannotHaveWritten,
  cannotWrite,
  movesContents,
  names,
  onlyLooks,
  opensEditor,
  runsOn,
} from '../../src/join/shell.ts';

describe('what a command’s text tells', () => {
  test.each([
    ['ls -la && cat a.txt | grep x', true],
    ['git status; git log --oneline', true],
    ['grep -rn foo . 2>/dev/null', true],
    ['echo hi > a.txt', false],
    ['sed -i s/a/b/ a.txt', false],
    ['find . -name x -delete', false],
    ['cat $(make gen)', false],
    ['npm test', false],
    ["sed -n '1,120p' a.txt | head", true],
    ['sed -n 5p a.txt', true],
    ["sed -n '1,5w b.txt' a.txt", false],
    ["sed '1,5p' a.txt", false],
    ['sed -n 5p a.txt > b.txt', false],
    ['sed -n 5p -i a.txt', false],
    ["sed -n 5p -e 'w b.txt' a.txt", false],
    ["awk '{ print $1 }' a.txt | head", true],
    ["awk -F: 'NR == 2' a.txt", true],
    ["awk '{ print > FILENAME }' a.txt", false],
    ['awk \'{ print | "tee b.txt" }\' a.txt', false],
    ['awk \'BEGIN { system("touch b") }\'', false],
    ["awk -i inplace '{ print }' a.txt", false],
    ['awk -f make.awk a.txt', false],
  ])('%s cannot write: %s', (command, expected) => expect(cannotWrite(command)).toBe(expected));

  test.each([
    ['git checkout other', true],
    ['git -C sub -c a=b stash pop', true],
    ['cd x && git pull', true],
    ['curl -O https://example.com/a', true],
    ['git commit -am x', false],
    ['npm run gen', false],
    ['git checkout -b new', false],
    ['git checkout -q -b new 2>/dev/null', false],
    ['git switch -c new && make', false],
    ['git checkout -b new origin/main', true],
    ['git checkout -f -b new', true],
    ['git stash list', false],
    ['git stash', true],
    ['git reset -q HEAD a.txt', false],
    ['git reset --hard', true],
    ['git mv a.txt b.txt', false],
    ['git rm a.txt', false],
    ['git co other -- a.txt', true],
    ['git subtree pull --prefix=lib ../lib main', true],
    ['git lfs pull', true],
    ['git worktree add ../x && git ls-remote', false],
    ['git --version', false],
    ['apt-get install git nano', false],
    ['svn update', true],
  ])('%s moves contents about: %s', (command, expected) => expect(movesContents(command)).toBe(expected));

  test.each([
    ['code --wait a.txt', true],
    ['cd lib && vim a.txt', true],
    ['$EDITOR a.txt', true],
    ["vim -c '%s/a/b/' -c wq a.txt", false],
    ['nvim --headless +wq a.txt', false],
    ['node code a.txt', false],
  ])('%s opens an editor: %s', (command, expected) => expect(opensEditor(command)).toBe(expected));

  test.each([
    ["nohup sh -c 'sleep 2; echo late > late.txt' >/dev/null 2>&1 &", true],
    ['sleep 9 & echo hi', true],
    ['npm run dev &', true],
    ['a && b', false],
    ['make 2>&1 | tail', false],
    ['make &> log', false],
    ['echo a > at.txt', false],
    ['echo look at this batch > f', false],
    ['echo "a & b" > f', false],
    ['sed -i "s/x1/x & y/" f', false],
    ["cat > f <<'EOF'\nfish & chips at noon\nEOF", false],
    ['bash -c "sleep 3 &"', true],
    ['echo done | at now', true],
  ])('%s runs on: %s', (command, expected) => expect(runsOn(command)).toBe(expected));

  test.each([
    ['echo x > src/a.ts', 'src/a.ts', true],
    ['cat b.ts', 'a', false],
    ['cat a', 'a', true],
    ['touch data.txt.bak', 'data.txt', false],
    ['echo x > sp\\ ace', 'sp ace', true],
    ["echo x > 'sp ace'", 'sp ace', true],
    ['echo x > a\\(1\\).ts', 'src/a(1).ts', true],
  ])('%s names %s: %s', (command, path, expected) => expect(names(command, path)).toBe(expected));

  test.each([
    ['touch mark; sleep 4; true', 'h.txt', true],
    ['ls h.txt; touch mark; sleep 4', 'h.txt', true],
    ['echo x > other.txt', 'h.txt', true],
    ['echo x > h.txt', 'h.txt', false],
    ['echo x >h.txt', 'src/h.txt', false],
    ['echo hello world>h.txt', 'h.txt', false],
    ['echo second line>>h.txt', 'h.txt', false],
    ['printf "x\\ny\\n">h.txt', 'h.txt', false],
    ['echo hello world>other.txt', 'h.txt', true],
    ['ls h.txt>other.txt 2>/dev/null', 'h.txt', true],
    ['ls dir2>h.txt', 'h.txt', false],
    ['mv src lib', 'lib/deep/h.txt', false],
    ['cp -r a b', 'b/c/h.txt', false],
    ['git mv a.txt b.txt', 'h.txt', true],
    ['git mv a.txt h.txt', 'h.txt', false],
    ['git mv src lib', 'lib/deep/h.txt', false],
    ['git rm -q a.txt', 'h.txt', true],
    ['sed -i s/a/b/ *.txt', 'h.txt', false],
    ['touch $FILE', 'h.txt', false],
    ['npm test', 'h.txt', false],
    ["printf 'x' >> 'docs/größe und mehr.md'", 'docs/größe und mehr.md', false],
    ['sh late.sh', 'h.txt', false],
    ['tar x; touch y', 'h.txt', false],
    ['rm -rf .', 'h.txt', false],
    ["awk '{ print $1 }' h.txt > other.txt", 'h.txt', true],
    ["awk '{ print $1 }' other.txt > h.txt", 'h.txt', false],
    ["awk '{ print > FILENAME }' h.txt", 'h.txt', false],
  ])('%s cannot have written %s: %s', (command, path, expected) =>
    expect(cannotHaveWritten(command, path)).toBe(expected),
  );

  test('git commit may format what it commits', () => {
    expect([onlyLooks('git status'), onlyLooks('git commit -m x')]).toEqual([true, false]);
  });
});
