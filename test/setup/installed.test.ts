import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beforeOf, parseInstalled, remembered } from '../../src/setup/installed.ts';
import { digestOf, stepBetween, undoStep } from '../../src/setup/step.ts';

const STORED = path.resolve(import.meta.dirname, '../../fixtures/store/1/agent/installed.json');

test('law: a step is undone to the first text, whatever the two are', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 12 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(undoStep(after, stepBetween(before, after))).toBe(before);
    }),
  );
});

test('what was added is the whole step: nothing of what stands around it is in it', () => {
  expect(stepBetween('one\ntoken\n', 'one\nours\ntoken\n')).toEqual({ at: 4, added: 5, removed: '' });
});

test('of a file, and of what is not as we left it', () => {
  const before = { kind: 'file', text: '#!/bin/sh\nexit 0\n', mode: 0o755 } as const;
  const after = '#!/bin/sh\nours\nexit 0\n';
  const file = remembered({ path: '/x', ours: 'block', before, after, kept: false });
  expect(beforeOf(file, { kind: 'file', text: after, mode: 0o755 })).toEqual(before);
  expect(beforeOf(file, { kind: 'file', text: `${after}more\n`, mode: 0o755 })).toBeUndefined();
  expect(JSON.stringify(file)).not.toContain('exit');
});

test('the first form, which kept whole texts, gives back the same', () => {
  const stored = JSON.parse(fs.readFileSync(STORED, 'utf8'));
  const before = { kind: 'file', text: 'theirs\n', mode: 0o644 };
  stored.files.push({ path: '/x', ours: 'block', before, after: 'theirs\nours\n', kept: false });
  stored.config = { path: '/config', before: '[core]\n[a]\n', after: '[core]\n\tours = 1\n[a]\n' };
  const { version, files, config } = parseInstalled(JSON.stringify(stored), 'here');
  expect(version).toBe(2);
  expect(beforeOf(files.at(-1) as never, { kind: 'file', text: 'theirs\nours\n', mode: 0o644 })).toEqual(before);
  expect(config?.after).toBe(digestOf(stored.config.after));
  expect(config?.steps.reduceRight(undoStep, stored.config.after)).toBe(stored.config.before);
});
