import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import vm from 'node:vm';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sandbox } from '../cli/program.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';
import { serveGit } from './server.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
/** A user's folder with the package in it, as npm would put it there. */
let user: string;
let box: Sandbox;

beforeAll(async () => {
  user = makeFolder('user');
  const installed = path.join(user, 'node_modules', 'git-agent-blame');
  const { buildLibrary } = await import(path.join(ROOT, 'build/library.mjs'));
  await buildLibrary(path.join(installed, 'dist', 'library'));
  fs.copyFileSync(path.join(ROOT, 'package.json'), path.join(installed, 'package.json'));
  fs.writeFileSync(path.join(user, 'package.json'), '{"type":"module"}');
  // users of http have it
  fs.symlinkSync(path.join(ROOT, 'node_modules/isomorphic-git'), path.join(user, 'node_modules/isomorphic-git'));
  box = new Sandbox();
  box.note(box.write('a.txt', 'one\ntwo\n').commit(), 'a.txt', [1, 1]);
});

afterAll(() => {
  removeFolder(user);
  box.remove();
});

const bundle = (name: string) =>
  fs.readFileSync(path.join(user, 'node_modules/git-agent-blame/dist/library', `${name}.js`), 'utf8');

describe('what others import', () => {
  it.each(['index', 'web'])('%s.js loads nothing of node, nor anything else', (name) => {
    const text = bundle(name);
    expect(text.length).toBeGreaterThan(10_000);
    expect(text).not.toMatch(/["'`]node:|\brequire\(["']|\bimport\s*\(|\bimport\b[^;]{0,200}\bfrom\s*["']/);
  });

  it('works where there is nothing but the language, Buffer and a text decoder', async () => {
    const { code } = await transform(bundle('web'), { format: 'iife', globalName: 'library' });
    const world = vm.createContext({ Buffer, TextDecoder, TextEncoder, Uint8Array, fs, dir: box.dir });
    vm.runInContext(code, world);
    const told = await vm.runInContext(`library.blame({ fs, dir, file: 'a.txt', anchor: true })`, world);
    expect(told.lines.map(({ type }: { type: string }) => type)).toEqual(['ai', 'unknown']);
    const { records } = await vm.runInContext('library.readTraces({ fs, dir })', world);
    expect(records.size).toBe(1);
  });

  it.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('has types for users who compile with module %s, moduleResolution %s', (module, moduleResolution) => {
    const file = path.join(user, `${moduleResolution}.ts`);
    fs.writeFileSync(file, PROGRAM);
    const compilerOptions = {
      target: 'es2022',
      module,
      moduleResolution,
      types: [],
      strict: true,
      skipLibCheck: false,
    };
    const more = { noEmit: true, lib: ['es2023'], exactOptionalPropertyTypes: true };
    const config = path.join(user, `${moduleResolution}.json`);
    fs.writeFileSync(config, JSON.stringify({ compilerOptions: { ...compilerOptions, ...more }, files: [file] }));
    const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
    expect(run(process.execPath, [tsc, '-p', config])).toBe('');
    fs.writeFileSync(file, `${PROGRAM}\nconst wrong: number = (await blame({ fs, dir: '.', file: 'a' })).revision;\n`);
    expect(run(process.execPath, [tsc, '-p', config])).toContain("Type 'string' is not assignable to type 'number'");
  });
});

const PROGRAM = `
import { contentHash, originsOf, parseNote, type Origin, type TraceRecord, validateRecord } from 'git-agent-blame';
import { blame, readTraces, type BlameLine } from 'git-agent-blame/web';
declare const fs: { promises: { readFile(path: string): Promise<Uint8Array> } };
const records: readonly TraceRecord[] = parseNote(['{}']).records;
export const origin: Origin | undefined = originsOf(records, 'a').at(1)?.origin;
export const hash: string = contentHash(['a']);
export const problems: string[] = validateRecord({}).map(({ rule }) => rule);
const { lines } = await blame({ fs, dir: '.', file: 'a', ref: 'main' });
export const who: readonly BlameLine['type'][] = lines.map(({ type }) => type);
export const all: ReadonlyMap<string, readonly TraceRecord[]> = (await readTraces({ fs, gitdir: '.git' })).records;
`;

function run(command: string, args: readonly string[]): string {
  try {
    return execFileSync(command, args, { cwd: user, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    return String((error as { stdout?: string }).stdout);
  }
}

describe('the examples of docs/library.md', () => {
  const folder = path.join(ROOT, 'docs', 'examples');
  const take = (name: string) => fs.copyFileSync(path.join(folder, name), path.join(user, name));
  const example = (name: string, ...args: string[]) => {
    take(name);
    return execFileSync(process.execPath, [name, ...args], { cwd: user, encoding: 'utf8' });
  };
  /** The same while this process goes on: it is the server. */
  const later = async (name: string, ...args: string[]) => {
    take(name);
    return (await promisify(execFile)(process.execPath, [name, ...args], { cwd: user })).stdout;
  };

  it('are all shown there, as they are', () => {
    const page = fs.readFileSync(path.join(ROOT, 'docs/library.md'), 'utf8');
    const names = fs.readdirSync(folder);
    expect(names.sort()).toEqual(['blame.mjs', 'clone.mjs', 'records.mjs', 'traces.mjs']);
    const isShown = (name: string) => page.includes(fs.readFileSync(path.join(folder, name), 'utf8').trim());
    expect(names.filter((name) => !isShown(name))).toEqual([]);
  });

  it('blame.mjs and traces.mjs read a repository', () => {
    expect(example('blame.mjs', box.dir, 'a.txt')).toBe(
      '   1 ai      anthropic/claude-opus-4-5-20251101 one\n   2 unknown  two\nai 1, human 0, unknown 1\n',
    );
    const commit = box.git('rev-parse', 'HEAD');
    expect(example('traces.mjs', box.dir)).toBe(`${commit} claude-code a.txt\n`);
  });

  it('clone.mjs reads over http', async () => {
    const server = await serveGit(box.dir);
    try {
      const told = await later('clone.mjs', `${server.url}/.git`, 'a.txt');
      expect(told).toBe('{"total":2,"ai":1,"human":0,"mixed":0,"unknown":1}\n');
    } finally {
      await server.close();
    }
  });

  it('records.mjs writes a record and reads it', () => {
    expect(example('records.mjs')).toBe('ai anthropic/claude-opus-4-5-20251101 agentlog:s1#call-7\ntrue 4\n');
  });
});
