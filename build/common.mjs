// Writes the bundler's modules as CommonJS: Node starts that a fifth faster, since it loads nothing of the machinery for the others.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { transform } from 'esbuild';

const OPTIONS = { format: 'cjs', platform: 'node', target: 'node20.19', minify: true, logLevel: 'silent' };

/** What waits while it is loaded (the full-screen view does) cannot be had in this form: it stays as it is, and is waited for where it is asked for. */
export async function writeCommon(modules) {
  const waiting = new Set();
  for (const { file, code } of modules) if (!(await isPlain(code))) waiting.add(file);
  for (const { file, code } of modules) {
    mkdirSync(path.dirname(file), { recursive: true });
    const target = (name) => path.resolve(path.dirname(file), name);
    if (waiting.has(file)) {
      writeFileSync(renamed(file), code);
      continue;
    }
    for (const [, name] of code.matchAll(STATIC))
      if (waiting.has(target(name))) throw new Error(`${file} cannot be loaded at once: ${name} waits for something`);
    const plain = code
      .replace(LATE, (_, name) =>
        waiting.has(target(name))
          ? `import(${JSON.stringify(renamed(name))})`
          : `Promise.resolve().then(()=>require(${JSON.stringify(name)}))`,
      )
      .replaceAll('import.meta.url', `${'require("node:url")'}.pathToFileURL(__filename).href`);
    writeFileSync(file, (await transform(plain, OPTIONS)).code);
  }
}

/** As the bundler prints them. */
const LATE = /\bimport\("(\.[^"]*)"\)/g;
const STATIC = /\bfrom"(\.[^"]*)"/g;

const renamed = (file) => file.replace(/\.js$/, '.mjs');

async function isPlain(code) {
  try {
    await transform(code, OPTIONS);
    return true;
  } catch (error) {
    if (/Top-level await/.test(error.message)) return false;
    throw error;
  }
}
