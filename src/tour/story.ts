import { Fault } from '../fault.ts';
import { openAgent } from './agent.ts';
import type { Place } from './place.ts';
import { FILE, TURNS, type Turn } from './recording.ts';

/** What the tour needs of whoever shows it. */
export interface Stage {
  readonly place: Place;
  /** A chapter begins. */
  heading(text: string): Promise<void>;
  /** Between chapters a person may want to stop for a moment. */
  pause(): Promise<void>;
  say(text: string): Promise<void>;
  /** A command as it is typed, before it runs. */
  typed(command: string): Promise<void>;
  now(): number;
}

export async function playStory(stage: Stage): Promise<void> {
  const { say } = stage;
  const heading = async (text: string) => {
    await stage.pause();
    await stage.heading(text);
  };
  const type = async (command: string, quiet = false): Promise<string> => {
    await stage.typed(command);
    const { ok, out } = stage.place.shell(command);
    if (!quiet || !ok) await say(out.replace(/\n$/, ''));
    if (!ok) throw new Fault('surroundings', 'The tour ends here: the last command failed.');
    return out;
  };
  await stage.heading('A new repository, and a person’s first commit');
  await type('git init -q', true);
  await type('git agent init --agents claude-code', true);
  await type("echo '# Demo' > README.md && git add -A && git commit -q -m 'begin' && git switch -q -c topic", true);
  await heading('A recorded Claude Code session is played into it, and a person works in between');
  await playTurns(stage, (command) => type(command, true));
  await heading('Who wrote it?');
  const before = await type(`git agent-blame ${FILE}`);
  await heading('And why?');
  const line = stage.place
    .read(FILE)
    .split('\n')
    .findIndex((text) => text.includes('--left'));
  await type(`git agent show ${FILE}:${line + 1}`);
  await heading('The history is rewritten: two commits become one, on a main branch that has moved on');
  await type("git switch -q main && echo 'Moved on.' >> README.md && git commit -q -a -m 'main moves on'", true);
  await type("git switch -q topic && git reset -q --soft HEAD~2 && git commit -q -m 'retry: squashed'", true);
  await type('git rebase -q main', true);
  await type('git log --oneline');
  await heading('Who wrote it, by now?');
  const after = await type(`git agent-blame ${FILE}`);
  await heading('And in numbers');
  await type('git agent report --standing');
  await say(`\nShown: ${FILE} before the rewrite: ${summaryOf(before)}; after it: ${summaryOf(after)}.`);
}

async function playTurns(stage: Stage, type: (command: string) => Promise<string>): Promise<void> {
  const agent = openAgent(stage.place, stage.now);
  for (const turn of TURNS) {
    if ('commit' in turn) await type(`git add -A && git commit -q -m '${turn.commit}'`);
    else if ('person' in turn) await typeByHand(stage, turn);
    else {
      await stage.say(`  person   > ${turn.prompt}`);
      agent.prompt(turn.prompt);
      await stage.say(`  agent    ${turn.says} [${turn.does.tool}]`);
      agent.say(turn.says);
      agent.call(turn.id, turn.does);
    }
  }
  agent.end();
}

async function typeByHand({ place, say }: Stage, turn: Extract<Turn, { person: string }>): Promise<void> {
  await say(`  person   ${turn.person}`);
  place.write(
    FILE,
    place.read(FILE).replace(turn.old, () => turn.new),
  );
}

/** The summary that blame ends with. */
function summaryOf(blamed: string): string {
  const lines = blamed.replace(/\x1b\[[0-9;]*m/g, '').trimEnd();
  return lines.slice(lines.lastIndexOf('\n') + 1);
}
