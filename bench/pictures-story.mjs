// The repository that the pictures show: a person, two models in three conversations, and lines from before anybody watched.
import { openClaude } from './claude.mjs';

const OPUS = 'claude-opus-4-5-20251101';
const SONNET = 'claude-sonnet-4-5-20250929';
const session = (last, model) => ({ session: `7c0de5e5-0000-4000-8000-00000000000${last}`, version: '2.1.197', model });

export const FILE = 'src/queue.mjs';

export function playStory(place) {
  const { git, write } = place;
  const commit = (message) => {
    git('add', '-A');
    git('commit', '-q', '-m', message);
  };
  write('README.md', '# jobs\n\nA queue for small jobs.\n');
  write(
    'src/clock.mjs',
    'export const now = () => Date.now();\n\nexport const seconds = (ms) => Math.round(ms / 1000);\n',
  );
  commit('begin');
  place.init();

  const first = openClaude(place, session(1, OPUS));
  first.prompt('Write a queue that runs at most N jobs at a time. No dependencies.');
  first.say('A class with a list of waiting jobs; whoever ends starts the next one.');
  first.write('toolu_01', FILE, QUEUE);
  first.end();
  commit('queue: at most N jobs at a time');

  write(
    FILE,
    place
      .read(FILE)
      .replace('  #waiting = [];\n', '  #waiting = [];\n  #closed = false; // ops: no new jobs while we shut down\n'),
  );
  const second = openClaude(place, session(2, SONNET));
  second.prompt('Reject new jobs once #closed is set, and add a close() that waits for the rest.');
  second.say('add() now throws when the queue is closed; close() waits until nothing runs.');
  second.edit('toolu_02', FILE, [
    '  add(job) {\n',
    "  add(job) {\n    if (this.#closed) throw new Error('the queue is closed');\n",
  ]);
  second.edit('toolu_03', FILE, ['  #next() {\n', CLOSE]);
  second.shell(
    'toolu_04',
    `printf '%s\\n' "import { Queue } from './queue.mjs';" '' 'export const jobs = new Queue(4);' > src/jobs.mjs`,
  );
  second.end();
  commit('queue: close it');

  write('test/queue.test.mjs', TEST);
  commit('queue: a test');

  const third = openClaude(place, session(3, OPUS));
  third.prompt('Say in the README how to use it.');
  third.say('A short example is enough.');
  third.edit('toolu_05', 'README.md', ['A queue for small jobs.\n', USE]);
  third.end();
  write('README.md', `${place.read('README.md')}\nAsk Ada before you change the limit.\n`);
}

const QUEUE = `export class Queue {
  #running = 0;
  #waiting = [];

  constructor(limit = 2) {
    this.limit = limit;
  }

  add(job) {
    return new Promise((done, fail) => {
      this.#waiting.push({ job, done, fail });
      this.#next();
    });
  }

  #next() {
    if (this.#running >= this.limit) return;
    const one = this.#waiting.shift();
    if (one === undefined) return;
    this.#running++;
    Promise.resolve()
      .then(one.job)
      .then(one.done, one.fail)
      .finally(() => {
        this.#running--;
        this.#next();
      });
  }
}
`;

const CLOSE = `  async close() {
    this.#closed = true;
    while (this.#running > 0) await new Promise((wake) => setTimeout(wake, 10));
  }

  #next() {
`;

const TEST = `import assert from 'node:assert';
import { Queue } from '../src/queue.mjs';

const queue = new Queue(1);
const seen = [];
await Promise.all([1, 2, 3].map((n) => queue.add(async () => seen.push(n))));
assert.deepEqual(seen, [1, 2, 3]);
`;

const USE = `A queue for small jobs.

    import { Queue } from './src/queue.mjs';
    await new Queue(4).add(() => fetch(url));
`;
