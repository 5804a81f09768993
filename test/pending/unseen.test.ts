import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { atLeast } from '../../src/git/repository.ts';
import { told } from '../behaviours/told.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

/** What git cannot take into a snapshot, the snapshot tells nothing of: a person's it is not for that. */
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('f.ts', 'person one\n').human('in/i.ts', 'typed\n').human('out/o.ts', 'typed\n').commit('start');
});
afterEach(() => shop.remove());

/** Git can store no object with these contents until it is undone: not even for root. */
function refuse(...contents: string[]): () => void {
  const folders = contents.map((content) => {
    const id = createHash('sha1').update(`blob ${content.length}\0${content}`).digest('hex');
    return path.join(shop.common, 'objects', id.slice(0, 2));
  });
  for (const folder of folders) {
    if (fs.existsSync(folder)) fs.renameSync(folder, `${folder}.away`);
    fs.writeFileSync(folder, '');
  }
  return () => {
    for (const folder of folders) {
      fs.rmSync(folder);
      if (fs.existsSync(`${folder}.away`)) fs.renameSync(`${folder}.away`, folder);
    }
  };
}

function mishaps(): string {
  const log = path.join(shop.common, 'agent', 'hooks.log');
  return fs.existsSync(log) ? fs.readFileSync(log, 'utf8') : '';
}

describe('git could not store a file', () => {
  test('that a command made or changed: it is unknown, the rest is known', async () => {
    const undo = refuse('agent one\n', 'person one\nagent two\n');
    shop.shell("echo 'agent one' > new.ts; echo 'agent two' >> f.ts; echo 'agent three' > seen.ts");
    undo();
    shop.human('mine.ts', 'typed\n').commit('both');
    expect(await told(shop, 'new.ts', 'f.ts', 'seen.ts', 'mine.ts')).toEqual(['u', 'hu', 'a', 'h']);
    expect(mishaps()).toBe('');
    expect(fs.readdirSync(path.join(shop.common, 'agent', 'payloads'))).toEqual([]);
  });

  test('that a person had made before the command: it is not the command’s', async () => {
    shop.human('mine.ts', 'typed by a person\n');
    const undo = refuse('typed by a person\n');
    shop.hook('before', 's1', call('PreToolUse'));
    undo();
    fs.writeFileSync(path.join(shop.dir, 'made.ts'), 'agent one\n');
    shop.hook('after', 's1', { ...call('PostToolUse'), tool_response: { stdout: '', stderr: '', interrupted: false } });
    shop.commit('both');
    expect(await told(shop, 'mine.ts', 'made.ts')).toEqual(['u', 'a']);
  });

  test('and the list of such files is gone: the snapshot tells nothing', async () => {
    const undo = refuse('agent one\n');
    shop.shell("echo 'agent one' > new.ts; echo 'agent two' > seen.ts");
    undo();
    const payloads = path.join(shop.common, 'agent', 'payloads');
    const lists = fs.readdirSync(payloads).filter((name) => name.endsWith('.unseen'));
    expect(lists).toHaveLength(1);
    for (const name of lists) fs.rmSync(path.join(payloads, name));
    shop.commit('both');
    expect(await told(shop, 'new.ts', 'seen.ts')).toEqual(['u', 'u']);
  });

  test('and so many that their names would be too long: there is no snapshot', async () => {
    const contents = Array.from({ length: 10 }, (_, i) => `agent ${i}\n`);
    const undo = refuse(...contents);
    const long = 'x'.repeat(200);
    const parts = Array.from({ length: 35 }, (_, i) => `${long}/${long}/${i}`);
    shop.shell(
      `for d in ${parts.join(' ')}; do mkdir -p $d; for n in 0 1 2 3 4 5 6 7 8 9; do echo "agent $n" > $d/$n; done; done`,
    );
    undo();
    shop.commit('all');
    expect(await told(shop, `${parts[0]}/3`)).toEqual(['u']);
    expect(mishaps()).toContain('no snapshot');
  });
});

function call(event: string): Record<string, unknown> {
  return {
    hook_event_name: event,
    tool_name: 'Bash',
    tool_use_id: 'toolu_unseen',
    tool_input: { command: 'echo agent one > made.ts' },
  };
}

/** Before, git knows no `add --sparse`, and leaves such files alone. */
const OLD = !atLeast(execFileSync('git', ['version'], { encoding: 'utf8' }).split(' ')[2] ?? '', '2.35');

test.skipIf(OLD)('outside of a sparse checkout commands write like elsewhere (git 2.35 and later)', async () => {
  shop.git('sparse-checkout', 'set', '--cone', 'in');
  shop.shell("mkdir out && echo 'agent one' > out/new.ts && echo 'typed\nagent two' > out/o.ts");
  shop.git('add', '-A', '--sparse');
  shop.git('commit', '-q', '-m', 'outside');
  expect(await told(shop, 'out/new.ts', 'out/o.ts', 'in/i.ts', 'f.ts')).toEqual(['a', 'ha', 'h', 'h']);
});
