// What is kept of a clone under agent/, and what should be there only for a moment.
import fs from 'node:fs';
import path from 'node:path';

/** What a process leaves only while it is at work: locks, drafts, payloads, files beside the one that they are to become. */
const PASSING = /(^|\/)[^/]*lock$|^payloads\/.|\.draft$|(^|\/)\.[^/]+\.\d+\.\d+$|(^|\/)\.[^/]+\.old-\d+$/;
/** Indices of snapshots: that of the last one stays for the next to begin with, and with it the one that it began with itself; each has a tree. */
const INDEX = /^agent-index\./;
const INDICES = 4;

/** What there is at rest; `left`: what should have gone. */
export function lookAtStore({ place: { common } }) {
  const dir = path.join(common, 'agent');
  const names = fs.readdirSync(dir, { recursive: true, encoding: 'utf8' });
  const found = names.map((name) => ({ name, stat: fs.statSync(path.join(dir, name), { throwIfNoEntry: false }) }));
  const files = found.filter(({ stat }) => stat?.isFile());
  const indices = fs.readdirSync(common).filter((name) => INDEX.test(name));
  const passing = files.map(({ name }) => name).filter((name) => PASSING.test(name));
  return {
    files: files.length + indices.length,
    kilobytes: files.reduce((sum, { stat }) => sum + stat.size, 0) / 1024,
    left: [...passing, ...(indices.length > INDICES ? indices : [])],
  };
}
