// Bundles the programs. Heavy packages land in chunks of their own, loaded by the verbs that use them. Each program is bundled alone: what it
// loads at the start is then in few files, and start-up is part of the product.
import crypto from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeCommon } from './common.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** SQLite finds its WebAssembly beside itself. */
const SQLITE = path.join('node_modules', 'node-sqlite3-wasm', path.sep);

/** What each program is about, and loads in any case. */
const PROGRAMS = {
  'git-agent': [],
  'git-agent-verbs': [],
  'git-agent-work': ['src/commands/join.ts', 'src/commands/work.ts'],
  'git-agent-gate': ['src/commands/gate.ts'],
  'git-agent-blame': ['src/commands/blame.ts'],
};

/** Into a folder of their own. Gives what went in, as paths. */
export async function buildPrograms(outdir, version) {
  mkdirSync(outdir, { recursive: true });
  const inputs = [];
  for (const [name, together] of Object.entries(PROGRAMS)) {
    const { metafile, outputFiles } = await build({
      entryPoints: [`src/${name}.ts`],
      plugins: [siblings, builtins, keepTogether(together)],
      outdir,
      chunkNames: `${name}.chunks/[name]-[hash]`,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      minify: true,
      metafile: true,
      write: false,
      legalComments: 'none', // all licences are in one file
      logLevel: 'warning',
      absWorkingDir: root,
      define: {
        'process.env.GIT_AGENT_BLAME_VERSION': JSON.stringify(version),
        // react as it is for users
        'process.env.NODE_ENV': '"production"',
      },
      // ink names it, for its developers; it is not there
      external: ['react-devtools-core'],
      banner: { js: '#!/usr/bin/env node' },
    });
    await writeCommon(outputFiles.map(({ path: file, text }) => ({ file, code: askForBuiltins(text) })));
    chmodSync(path.join(outdir, `${name}.js`), 0o755);
    inputs.push(...Object.keys(metafile.inputs));
  }
  writeFileSync(path.join(outdir, 'package.json'), '{ "type": "commonjs" }\n');
  for (const [from, to] of [
    ['node-sqlite3-wasm.js', 'sqlite.cjs'],
    ['node-sqlite3-wasm.wasm', 'node-sqlite3-wasm.wasm'],
  ])
    copyFileSync(path.join(root, SQLITE, 'dist', from), path.join(outdir, to));
  return [...inputs, SQLITE];
}

/**
 * A bundler gives every set of modules that some of the late parts share a file of its own, and each file costs a millisecond at the start.
 * Where every late part asks for the same modules, these are shared by all, and come in one file; they are there already by then.
 */
const keepTogether = (modules) => ({
  name: 'keep-together',
  setup({ onResolve, onLoad }) {
    // our own files are .ts; those of packages are few, and stay as they are
    onResolve({ filter: /^\..*\.tsx?$/ }, ({ kind, path: file, resolveDir }) =>
      kind === 'dynamic-import' ? { path: path.resolve(resolveDir, file), namespace: 'late' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'late' }, ({ path: file }) => ({
      contents: [...modules.map((one) => `import './${one}';`), `export * from ${JSON.stringify(file)};`].join('\n'),
      resolveDir: root,
    }));
  },
});

/** The first only tells which of the others is meant: these are bundled alone too. */
const siblings = {
  name: 'siblings',
  setup({ onResolve }) {
    const external = ({ path: file }) => ({ path: file.replace(/\.ts$/, '.js'), external: true });
    onResolve({ filter: /^\.\/git-agent-\w+\.ts$/ }, external);
  },
};

/**
 * A module that imports one of node's own has node make all parts of it, streams of files and web crypto among them, and a list of its names:
 * together that takes longer than all the rest of starting. Asked for in this way, only what is used is made.
 */
const ask = (name) => `process.getBuiltinModule("${name}")`;
const builtins = {
  name: 'builtins',
  setup({ onResolve, onLoad }) {
    const called = ({ path: name, kind }) =>
      kind === 'require-call' || CRYPTO.test(name) ? { path: name, namespace: 'builtin' } : undefined;
    onResolve({ filter: BUILTIN }, called);
    // that is sixteen modules of node, and most of the time nothing is hashed; where something is, it is looked up once
    const late = (name) =>
      `let made;
       for (const key of ${JSON.stringify(Object.keys(crypto))})
         Object.defineProperty(exports, key, { enumerable: true, get: () => (made ??= ${ask(name)})[key] });`;
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path: name }) => ({
      contents: CRYPTO.test(name) ? late(name) : `module.exports = ${ask(name)};`,
    }));
  },
};
const CRYPTO = /^(node:)?crypto$/;
const BUILTIN = new RegExp(`^(node:.*|${builtinModules.join('|')})$`);

/** `import a,{b as c}from"node:fs";`, as the bundler prints it, becomes an assignment. */
const IMPORT = /\bimport(?:\s*([\w$]+)|\s*\*\s*as\s+([\w$]+))?,?(?:\{([^}]*)\})?\s*from\s*"(node:[\w/]+)";/g;
const askForBuiltins = (code) =>
  code.replace(IMPORT, (_, whole, star, names, name) => {
    const parts = [whole ?? star, names && `{${names.replaceAll(/\s+as\s+/g, ':')}}`].filter(Boolean);
    return `const ${parts.map((part) => `${part}=${ask(name)}`).join(',')};`;
  });
