import { describe, expect, test } from 'vitest';
import { cannotWrite, movesContents, names, onlyLooks, runsOn } from '../../src/join/shell.ts';

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
  ])('%s cannot write: %s', (command, expected) => expect(cannotWrite(command)).toBe(expected));

  test.each([
    ['git checkout other', true],
    ['git -C sub -c a=b stash pop', true],
    ['cd x && git pull', true],
    ['curl -O https://example.com/a', true],
    ['git commit -am x', false],
    ['npm run gen', false],
  ])('%s moves contents about: %s', (command, expected) => expect(movesContents(command)).toBe(expected));

  test.each([
    ["nohup sh -c 'sleep 2; echo late > late.txt' >/dev/null 2>&1 &", true],
    ['sleep 9 & echo hi', true],
    ['npm run dev &', true],
    ['a && b', false],
    ['make 2>&1 | tail', false],
    ['make &> log', false],
  ])('%s runs on: %s', (command, expected) => expect(runsOn(command)).toBe(expected));

  test.each([
    ['echo x > src/a.ts', 'src/a.ts', true],
    ['cat b.ts', 'a', false],
    ['cat a', 'a', true],
    ['touch data.txt.bak', 'data.txt', false],
  ])('%s names %s: %s', (command, path, expected) => expect(names(command, path)).toBe(expected));

  test('git commit may format what it commits', () => {
    expect([onlyLooks('git status'), onlyLooks('git commit -m x')]).toEqual([true, false]);
  });
});
