import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

/** A transcript is read from its beginning whenever it has grown. */
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('f.ts', 'person one\n').commit('start');
});
afterEach(() => shop.remove());

const TURNS = 4;

test('what a growing transcript tells again is written down once', async () => {
  for (let turn = 0; turn < TURNS; turn++) {
    const [name, content] = [`${turn}.ts`, `agent writes ${turn}\n`];
    const full = path.join(shop.dir, name);
    fs.writeFileSync(full, content);
    shop.tell('s1', `w${turn}`, 'Write', { file_path: full, content });
    shop.tellResult('s1', `w${turn}`, { type: 'create', filePath: full, content, structuredPatch: [] });
    shop.tell('s1', `b${turn}`, 'Bash', { command: `echo ${turn} >out/${turn}.txt` });
    shop.tellResult('s1', `b${turn}`, { stdout: '', stderr: '', interrupted: false });
    shop.commit(`turn ${turn}`);
    await shop.work();
  }
  for (const [name, calls] of [
    ['timelines', 'w'],
    ['commands.jsonl', 'b'],
  ] as const) {
    const lines = linesUnder(path.join(shop.dir, '.git/agent', name));
    expect(lines.filter((line) => line.includes(`"event":"${calls}`))).toHaveLength(TURNS);
    expect(lines).toEqual([...new Set(lines)]);
  }
  expect(await shop.blame('0.ts')).toBe('a');
});

function linesUnder(place: string): string[] {
  const files = fs.statSync(place).isDirectory()
    ? fs.readdirSync(place).map((name) => path.join(place, name))
    : [place];
  return files.flatMap((file) => fs.readFileSync(file, 'utf8').trimEnd().split('\n'));
}
