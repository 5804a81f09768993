import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Says that somebody waits for the file, and waits: everything that came before is over then. */
export async function untilThere(file) {
  fs.writeFileSync(`${file}.waiting`, '');
  while (!fs.existsSync(file)) await sleep(20);
}
