// node blame.mjs FOLDER FILE
import fs from 'node:fs';
import { blame } from 'git-agent-blame/web';

const [dir, file] = process.argv.slice(2);
const { lines, summary } = await blame({ fs, dir, file });
for (const { line, type, model, text } of lines)
  console.log(`${String(line).padStart(4)} ${type.padEnd(7)} ${model ?? ''} ${text}`);
console.log(`ai ${summary.ai}, human ${summary.human}, unknown ${summary.unknown}`);
