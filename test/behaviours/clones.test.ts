import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { topic } from './told.ts';

let shop: Workshop;
let server: string;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('base.ts', 'base one\n').commit('start');
  topic(shop);
  server = fs.mkdtempSync(path.join(shop.home, 'server-'));
  shop.git('init', '-q', '--bare', '-b', 'topic', server);
});
afterEach(() => shop.remove());

async function lettersIn(place: Workshop): Promise<string[]> {
  return Promise.all(['a.ts', 'h.ts', 'b.ts'].map((file) => place.blame('HEAD', '--', file)));
}

describe('87: clones of all kinds', () => {
  test.each([
    ['plain', []],
    ['of one branch', ['--single-branch', '-b', 'topic']],
    ['shallow', ['--depth', '3']],
    ['without blobs', ['--filter=blob:none']],
    ['bare', ['--bare']],
    ['a mirror', ['--mirror']],
  ])('%s: know nothing of notes until they are asked for, then all', async (_, options) => {
    shop.git('push', '-q', server, 'topic');
    expect((await shop.agent('push', server)).status).toBe(0);
    for (const name of ['uploadpack.allowFilter', 'uploadpack.allowAnySHA1InWant'])
      shop.git('-C', server, 'config', name, 'true');
    const folder = path.join(shop.home, 'clone');
    shop.git('clone', '-q', ...options, pathToFileURL(server).href, folder);
    const clone = shop.in(folder);
    if (!options.includes('--mirror')) expect(await lettersIn(clone)).toEqual(['uu', 'u', 'u']);
    expect((await clone.agent('fetch')).status).toBe(0);
    expect(await lettersIn(clone)).toEqual(['aa', 'h', 'a']);
  });
});

test('88: a push to a path takes the notes there', async () => {
  expect((await shop.agent('push', server)).status).toBe(0);
  shop.git('push', '-q', server, 'topic');
  expect(shop.git('-C', server, 'notes', '--ref=agent/trace', 'list').split('\n')).toHaveLength(4);
});
