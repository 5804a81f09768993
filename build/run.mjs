// Builds the programs and the two libraries into dist/ (or $OUTDIR).
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildLibrary } from './library.mjs';
import { buildPrograms } from './programs.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const outdir = path.resolve(root, process.env.OUTDIR || 'dist');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
rmSync(outdir, { recursive: true, force: true });
const inputs = [...(await buildPrograms(outdir, version)), ...(await buildLibrary(path.join(outdir, 'library')))];

// the licences of what is bundled go along with it
const packages = new Set(inputs.flatMap((input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[0] ?? []));
const notices = [...packages].sort().map((folder) => {
  const at = (file) => path.resolve(root, folder, file);
  const { name, version: its, license } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const file = readdirSync(at('.')).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file && existsSync(at(file)) ? readFileSync(at(file), 'utf8') : `License: ${license}\n`;
  return `${name} ${its}\n\n${text}`;
});
writeFileSync(path.join(outdir, 'THIRD-PARTY.txt'), notices.join(`\n${'-'.repeat(80)}\n\n`));
