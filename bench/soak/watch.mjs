// Looks at our processes while they run: how much memory each has taken at most, and how many files it holds open.
// In a thread of its own: who plays the story waits for programs most of the time.
import fs from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** A blame takes a tenth of a second: it is seen some times. The peak of its memory is kept by the system meanwhile. */
const EVERY_MS = 15;

/** What a program of ours is asked to do, by the words that it was started with; undefined: it is no program of ours. */
export function verbOf(words) {
  const at = words.findIndex((word) => /(^|\/)git-agent(-blame)?(\.js)?$/.test(word));
  // before it is node: the shell that is to become it has other words before
  if (at < 0 || at > 1 || !/(^|\/)node$/.test(words[0])) return undefined;
  return /blame(\.js)?$/.test(words[at]) ? 'blame' : words[at + 1];
}

/** The processes that have anything to do with these folders, by their words or by where they are, and their words. */
export function processesOf(roots) {
  const isOurs = (text) => roots.some((root) => text.includes(root));
  return fs.readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    const line = read(`/proc/${pid}/cmdline`);
    return isOurs(line) || isOurs(folderOf(pid)) ? [{ pid, words: line.split('\0') }] : [];
  });
}

function folderOf(pid) {
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

/** Empty where it has just ended. */
function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function handlesOf(pid) {
  try {
    return fs.readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

/** The most of each verb since the last time somebody asked; `runs` counts processes. */
function openPeaks() {
  let peaks = {};
  let seen = new Set();
  return {
    look(roots) {
      for (const { pid, words } of processesOf(roots)) {
        const verb = verbOf(words);
        const peak = Number(/^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
        if (verb === undefined || peak === 0) continue;
        peaks[verb] ??= { runs: 0, memory: 0, handles: 0 };
        const most = peaks[verb];
        most.memory = Math.max(most.memory, peak);
        most.handles = Math.max(most.handles, handlesOf(pid));
        if (seen.has(pid)) continue;
        seen.add(pid);
        most.runs++;
      }
    },
    take() {
      const taken = peaks;
      [peaks, seen] = [{}, new Set()];
      return taken;
    },
  };
}

/** Watches programs that are started with these folders in their words. */
export function startWatch(roots) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { roots } });
  return {
    /** The most since the last time, by verb. */
    take: () =>
      new Promise((resolve) => {
        worker.once('message', resolve);
        worker.postMessage('take');
      }),
    stop: () => worker.terminate(),
  };
}

if (!isMainThread && workerData?.roots) {
  const peaks = openPeaks();
  setInterval(() => peaks.look(workerData.roots), EVERY_MS);
  parentPort.on('message', () => parentPort.postMessage(peaks.take()));
}
