// node traces.mjs FOLDER
import fs from 'node:fs';
import { readTraces } from 'git-agent-blame/web';

const { records, skipped } = await readTraces({ fs, dir: process.argv[2] });
for (const [commit, ones] of records)
  for (const { tool, files } of ones) console.log(`${commit} ${tool?.name} ${files.map(({ path }) => path).join(' ')}`);
if (skipped > 0) console.log(`${skipped} notes could not be read`);
