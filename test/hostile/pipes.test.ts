import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('a.txt', 'person one\n');
  shop.ai('a.txt', 'person one\nagent two\n');
  shop.commit();
  await shop.work();
});
afterEach(() => shop.remove());

const at = (name: string) => path.join(shop.common, 'agent', name);
const NAMES = [
  ...['journal', 'since.json', 'state.json', 'installed.json', 'lock', 'hooks.log', 'hooks/program'],
  ...['texts/index', 'texts/pack', 'timelines/f.jsonl', 'commands.jsonl', 'rewrites.jsonl', 'forgotten.jsonl'],
  ...['sessions/claude-code/s1.agentlog.json', 'cache/told', 'cache/ahead'],
];

/** Whoever waits at the pipe is let go after a while; true: somebody was. */
async function waits(file: string, what: () => Promise<unknown> | unknown): Promise<boolean> {
  const mark = path.join(shop.home, 'waited');
  const release = spawn('sh', ['-c', 'sleep 30; : >"$1"; exec 3<>"$2"; sleep 2', 'sh', mark, file]);
  await what();
  release.kill();
  return fs.existsSync(mark);
}

function putPipe(name: string): string {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.rmSync(at(name), { force: true });
  execFileSync('mkfifo', [at(name)]);
  return at(name);
}

async function inTheWay(): Promise<string[]> {
  const { checks } = JSON.parse((await shop.agent('doctor', '--json')).stdout);
  return checks.flatMap(({ name, said }: Record<string, string>) => (name === 'in the way' ? [said] : []));
}

describe('a pipe in the place of a file of the store', () => {
  test.each(NAMES)('%s: nobody waits, doctor names it, --fix takes it away', async (name) => {
    const file = putPipe(name);
    const looked = async () => {
      expect(await shop.blame('a.txt')).toBe('ha');
      expect(await inTheWay()).toEqual([`${file} is a pipe`]);
      shop.human('b.txt', 'person\n').commit();
      for (const verb of [['join'], ['status'], ['log'], ['sessions'], ['check']]) await shop.agent(...verb);
      await shop.agent('doctor', '--fix');
    };
    expect(await waits(file, looked)).toBe(false);
    expect(await inTheWay()).toEqual([]);
    expect(await shop.blame('a.txt')).toBe('ha');
  });

  test('neither do hooks, of git and of agents', async () => {
    const file = putPipe('journal');
    const told = () => {
      shop.human('b.txt', 'person\n').commit();
      shop.git('commit', '-q', '--amend', '-m', 'other words');
      shop.ai('c.txt', 'agent\n');
    };
    expect(await waits(file, told)).toBe(false);
  });
});

test('a socket is named, too', async () => {
  fs.rmSync(at('state.json'));
  const server = net.createServer();
  const cwd = process.cwd();
  // the whole path may be too long for a socket
  process.chdir(at('.'));
  await new Promise<void>((resolve) => server.listen('state.json', resolve));
  process.chdir(cwd);
  expect(await inTheWay()).toEqual([`${at('state.json')} is a socket`]);
  expect(await shop.blame('a.txt')).toBe('ha');
  server.close();
});
