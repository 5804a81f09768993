import fs from 'node:fs';
import path from 'node:path';
import { type Line, textOf } from './line.ts';
import { Stage } from './stage.ts';

const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
const withEnd = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

/** What an agent's edit of a file turns into what: all but `old` and `new` stays. */
interface Part {
  readonly before: readonly string[];
  readonly old: readonly string[];
  readonly new: readonly string[];
  readonly after: readonly string[];
}

function partOf(older: readonly string[], newer: readonly string[]): Part {
  let [start, end] = [0, 0];
  while (start < older.length && start < newer.length && older[start] === newer[start]) start++;
  const most = Math.min(older.length, newer.length) - start;
  while (end < most && older.at(-1 - end) === newer.at(-1 - end)) end++;
  return {
    before: older.slice(0, start),
    old: older.slice(start, older.length - end),
    new: newer.slice(start, newer.length - end),
    after: older.slice(older.length - end),
  };
}

/** The same stage, but agents have a shell: they write by commands too, and run git as often as the person does. */
export class AgentStage extends Stage {
  override readonly guesses: Stage['guesses'];
  override readonly story: string[];
  /** A command that is to run together with the next. */
  #due: { readonly command: string; readonly by: string } | undefined;

  constructor(stage: Stage) {
    super(stage.shop, stage.pen);
    this.guesses = stage.guesses;
    this.story = stage.story;
  }

  override put(file: string, by: string, lines: readonly Line[]): void {
    this.settle();
    const full = path.join(this.shop.dir, file);
    if (by === 'me' || !fs.existsSync(full)) super.put(file, by, lines);
    else this.#write(file, by, lines);
  }

  #write(file: string, by: string, lines: readonly Line[]): void {
    const full = path.join(this.shop.dir, file);
    this.guesses.see(lines);
    const part = partOf(fs.readFileSync(full, 'utf8').split('\n').slice(0, -1), textOf(lines).split('\n').slice(0, -1));
    const ways = [
      () => this.#tool(file, by, lines),
      () => this.#edit(file, by, part),
      () => this.#command(by, `cat > ${file} <<'END'\n${textOf(lines)}END\n`),
      () => this.#command(by, puttingIn(file, part)),
      () => this.#program(file, by, lines),
    ];
    this.pen.pick(ways)();
  }

  /** The Write tool. */
  #tool(file: string, by: string, lines: readonly Line[]): void {
    this.story.push(`${by} writes ${file}`);
    this.shop.ai(file, textOf(lines), by);
  }

  /** The Edit tool; where what is replaced stands twice, some lines around it go along. */
  #edit(file: string, by: string, { before, old, new: fresh, after }: Part): void {
    const text = withEnd([...before, ...old, ...after]);
    for (let around = 0; around <= Math.max(before.length, after.length); around++) {
      const [head, tail] = [before.slice(before.length - Math.min(around, before.length)), after.slice(0, around)];
      const [from, to] = [withEnd([...head, ...old, ...tail]), withEnd([...head, ...fresh, ...tail])];
      if (from === '' || text.split(from).length !== 2) continue;
      this.story.push(`${by} edits ${file}`);
      this.shop.edit(file, [from, to], by);
      return;
    }
    this.shop.ai(file, withEnd([...before, ...fresh, ...after]), by);
  }

  /** A program of which nobody knows what it writes. */
  #program(file: string, by: string, lines: readonly Line[]): void {
    const script = path.join(this.shop.home, `write-${by}.cjs`);
    fs.writeFileSync(
      script,
      `require('fs').writeFileSync(${JSON.stringify(file)}, ${JSON.stringify(textOf(lines))});\n`,
    );
    this.#run(by, `node ${script}`);
  }

  #command(by: string, command: string): void {
    if (this.pen.random() < 0.3) this.#due = { command, by };
    else this.#run(by, command);
  }

  #run(by: string, command: string): void {
    this.story.push(`${by} runs ${command.split('\n', 1)[0]}`);
    this.shop.shell(command, by);
    if (this.shop.status !== 0) throw new Error(`${command} ended with ${this.shop.status}`);
  }

  /** What was to run with the next command runs by itself. */
  settle(): void {
    const due = this.#due;
    this.#due = undefined;
    if (due) this.#run(due.by, due.command);
  }

  override commit(message: string, ...more: string[]): string {
    const due = this.#due;
    this.#due = undefined;
    if (!due && this.pen.random() < 0.5) {
      this.story.push(`me commits: ${[message, ...more].join(' ')}`);
      return super.commit(message, ...more);
    }
    const commit = ['git', 'commit', '-q', '-m', message, ...more].map(quote).join(' ');
    this.#run(due?.by ?? 's8', `${due?.command ?? ''}git add -A && ${commit}`);
    return this.shop.git('rev-parse', 'HEAD');
  }

  override git(...args: string[]): string {
    this.settle();
    if (args[0] === 'branch' || this.pen.random() < 0.5) {
      this.story.push(`me: git ${args.join(' ')}`);
      return super.git(...args);
    }
    this.#run('s8', ['git', ...args].map(quote).join(' '));
    return '';
  }

  override rebase(todo: string, ...args: string[]): void {
    this.settle();
    const command = ['git', 'rebase', '-q', '-i', ...args].map(quote).join(' ');
    if (this.pen.random() < 0.5) super.rebase(todo, ...args);
    else this.#run('s8', `GIT_SEQUENCE_EDITOR=${quote(`sed -i -e '${todo}'`)} GIT_EDITOR=true ${command}`);
  }
}

/** New lines between what stands there: the rest of the file is copied. */
function puttingIn(file: string, { before, old, new: fresh }: Part): string {
  const parts = [
    `head -n ${before.length} ${file}`,
    ...(fresh.length > 0 ? [`cat <<'END'\n${withEnd(fresh)}END`] : []),
    `tail -n +${before.length + old.length + 1} ${file}`,
  ];
  return `{ ${parts.join('\n')}\n} > ${file}.new && mv ${file}.new ${file}\n`;
}
