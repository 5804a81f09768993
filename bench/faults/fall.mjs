// Loaded into a program that is to fall (node --import): FALL_AT says before which of its steps, FALL_HOW what becomes of it.
// `power`: it runs to its end, and then the power goes: what was not told to go to the disk is not there (FALL_AT is not asked).
// `kill`: it is killed, and a file that it writes just then is cut in the middle. `full`: from then on there is no room on the disk.
// A step changes a file or starts a process: so the same number falls at the same place, however busy the machine is.
import child_process from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { FALL_AT, FALL_HOW } = process.env;
// what it starts goes on as it is
delete process.env.NODE_OPTIONS;
let left = Number(FALL_AT);

function die() {
  process.kill(process.pid, 'SIGKILL');
  for (;;); // the signal is on its way
}

function noRoom(name) {
  throw Object.assign(new Error(`ENOSPC: no space left on device, ${name}`), { code: 'ENOSPC', syscall: name });
}

/** The first half of what was to be written, as a disk that is full or a cut takes it. */
function halfOf(data) {
  const bytes =
    typeof data === 'string' ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return bytes.subarray(0, bytes.length >> 1);
}

/** `torn`: where the data is among the arguments. */
function watch(of, name, { torn, grows = true } = {}) {
  const before = of[name];
  of[name] = function (...args) {
    if (!isStep(name, args)) return before.apply(this, args);
    left--;
    if (left >= 0 || (FALL_HOW === 'full' && !grows)) return before.apply(this, args);
    if (left === -1 && torn !== undefined) before.apply(this, args.with(torn, halfOf(args[torn])));
    return FALL_HOW === 'full' ? noRoom(name) : die();
  };
}

/** A file that is only read is no step. */
function isStep(name, [, flags]) {
  if (name !== 'openSync' && name !== 'open') return true;
  return typeof flags === 'number' ? (flags & 3) !== 0 : /[wa+]/.test(flags ?? 'r');
}

/**
 * As ext4 does it: what a folder names is there in order, and so is a file that replaces another; the bytes of others come to the disk
 * when somebody asks for it, or half a minute later.
 */
function losePower() {
  const unsaved = new Map();
  const { openSync, renameSync, promises, statSync, truncateSync } = fs;
  const sizeOf = (file) => statSync(file, { throwIfNoEntry: false })?.size;
  fs.openSync = (file, flags, ...rest) => {
    if (isStep('openSync', [file, flags]) && !unsaved.has(file)) unsaved.set(file, sizeOf(file) ?? 0);
    return openSync(file, flags, ...rest);
  };
  fs.renameSync = (from, to) => {
    const replaced = sizeOf(to) !== undefined;
    renameSync(from, to);
    const before = unsaved.get(from);
    unsaved.delete(from);
    if (before !== undefined && !replaced) unsaved.set(to, before);
    if (replaced) unsaved.delete(to);
  };
  const open = promises.open;
  promises.open = async (file, ...rest) => {
    const handle = await open(file, ...rest);
    const datasync = handle.datasync.bind(handle);
    handle.datasync = () => datasync().then(() => void unsaved.delete(file));
    return handle;
  };
  process.on('exit', () => {
    for (const [file, size] of unsaved) if ((sizeOf(file) ?? 0) > size) truncateSync(file, size);
  });
}

function fall() {
  for (const of of [fs, fs.promises]) {
    const name = (word) => (of === fs ? `${word}Sync` : word);
    for (const word of ['writeFile', 'appendFile']) watch(of, name(word), { torn: 1 });
    for (const word of ['rename', 'rm', 'unlink', 'rmdir', 'truncate', 'chmod', 'utimes'])
      watch(of, name(word), { grows: false });
    for (const word of ['mkdir', 'link', 'symlink', 'copyFile', 'cp', 'mkdtemp']) watch(of, name(word));
  }
  watch(fs, 'writeSync', { torn: 1 });
  watch(fs, 'ftruncateSync', { grows: false });
  watch(fs, 'openSync', { grows: false });
  if (FALL_HOW !== 'full')
    for (const name of ['spawn', 'spawnSync', 'execFile', 'execFileSync']) watch(child_process, name);
}

if (FALL_HOW === 'power') losePower();
else fall();
syncBuiltinESMExports();
