import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Agent, type Installed, install, type Mode, ownScript, Stage, whyNot } from './rehearsal.ts';

/** What the real program can do, and what we know of it afterwards. */
export interface Actor extends Agent {
  /** models.dev id of the model that the rehearsal gives it; null: none that can be told for certain. */
  readonly model: string | null;
  /** It has hooks or a plug-in that we install; false: only transcripts tell. */
  readonly hooks: boolean;
  /** It cannot go on with a conversation unattended. */
  readonly noResume?: boolean;
  /** Its prompts are in what it writes down. */
  readonly prompts?: boolean;
  /** It writes a turn down when the turn is over, without times: what it committed meanwhile is nobody's. */
  readonly late?: boolean;
  /** Model of the scripts, where the agent's tools depend on it. */
  readonly scriptModel?: string;
}

/** In CI the four that most people use, in the longest of their stories; `npm run test:agents` runs all of all. */
const IN_CI = new Set(['codex', 'gemini-cli', 'opencode']);
const asked = (name: string) => process.env.AGENTS === 'all' || process.env.AGENTS === name;

/** The same story with every agent: each line of each file is checked. */
export function rehearse(actor: Actor): void {
  const modes: Mode[] = actor.hooks ? ['hooks', 'transcripts'] : ['transcripts'];
  const left = asked(actor.name) || IN_CI.has(actor.name) ? whyNot(actor.rehearsed) : 'AGENTS=all runs it';
  const title = `the real ${actor.name}${left ? ` (left out: ${left})` : ''}`;
  describe.skipIf(left)(title, () => {
    let installed: Installed;
    let stage: Stage;
    beforeAll(async () => {
      installed = await install();
    });
    afterAll(() => installed.remove());
    afterEach(() => stage.remove());
    for (const mode of modes) {
      // in CI each is heard by its hooks; what transcripts tell is played with Claude Code, and from recordings
      const here = asked(actor.name) || mode === modes[0];
      const whole = `by ${mode}: edits, commands, failures, a person in between, a second turn`;
      test.runIf(here)(
        `${whole} (AGENTS=${actor.name} runs it)`,
        async () => {
          stage = new Stage(mode, installed, actor);
          await work(stage, actor);
        },
        240_000,
      );
      test.runIf(asked(actor.name))(
        `by ${mode}: it commits by itself (AGENTS=${actor.name} runs it)`,
        async () => {
          stage = new Stage(mode, installed, actor);
          await ownCommits(stage, actor);
        },
        240_000,
      );
    }
    test.runIf(actor.hooks)('deinit leaves nothing of ours in its home (only with hooks)', () => {
      stage = new Stage('hooks', installed, actor);
      fs.mkdirSync(path.join(stage.home, 'before'));
      stage.init().git(['agent', 'deinit']);
      expect(fs.readdirSync(stage.home)).toEqual(['before']);
    });
  });
}

const APP = "import http from 'node:http';\nconst port = 3000;\nhttp.createServer();\n";

async function work(stage: Stage, actor: Actor): Promise<void> {
  stage.init().human('src/app.ts', APP).human('mine.txt', 'typed before\n').commit('start');
  await stage.play(script(stage, actor, 'common'));
  stage.human('src/greet.ts', stage.read('src/greet.ts').replace('}\n', '} // typed by a person\n'));
  stage.human('notes.txt', `${stage.read('notes.txt')}third note, typed\n`);
  await stage.play(script(stage, actor, 'common-again'), { resume: !actor.noResume });
  stage.human('mine.txt', 'typed before\ntyped after\n').commit('all of it');
  expect(stage.read('src/greet.ts')).toContain('Good day');
  expect(stage.read('half.txt')).toBe('left behind by a failing command\n');
  check(stage, actor, {
    'src/greet.ts': 'aaam',
    'src/app.ts': 'haah',
    'src/config.ts': 'aaa',
    'src/gen/items.ts': 'sss',
    'notes.txt': 'ssh',
    'half.txt': 's',
    'mine.txt': 'hh',
  });
  const sessions = new Set(
    stage.blame(['src/greet.ts', 'src/config.ts']).flatMap(({ lines }) => lines.flatMap((line) => line.session ?? [])),
  );
  expect(sessions.size).toBe(actor.noResume ? 2 : 1);
  if (actor.prompts !== false) {
    const story = stage.git(['agent', 'show', 'src/config.ts:1']);
    expect(story).toContain('Now add a farewell and list the items.');
    expect(story).toContain('port: number;');
  }
}

async function ownCommits(stage: Stage, actor: Actor): Promise<void> {
  stage.init().human('start.txt', 'start\n').commit('start').human('mine.txt', 'typed, not committed\n');
  await stage.play(script(stage, actor, 'common-commits'));
  expect(stage.git(['rev-list', '--count', 'HEAD'])).toBe('3');
  stage.commit('mine');
  check(stage, actor, { 'start.txt': 'h', 'first.txt': actor.late ? 's' : 'a', 'gen.txt': 's', 'mine.txt': 'h' });
}

/** The script, for the model that gives the agent its usual tools. */
function script(stage: Stage, { scriptModel }: Actor, name: string): string {
  if (!scriptModel) return ownScript(name);
  const file = path.join(stage.root, `${name}.json`);
  const whole = JSON.parse(fs.readFileSync(ownScript(name), 'utf8'));
  fs.writeFileSync(file, JSON.stringify({ ...whole, model: scriptModel }));
  return file;
}

/**
 * A letter for each line: `a`gent's edit, `s`hell's doing, `h`uman, `m`ixed or, where the text before was not shown, the person's or
 * nobody's. Without hooks nothing tells a shell's lines from a person's: both are unknown, unless no command ran since the file was clean.
 */
function check(stage: Stage, actor: Actor, expected: Readonly<Record<string, string>>): void {
  const files = Object.keys(expected);
  expect(stage.git(['ls-files', '-z']).split('\0').filter(Boolean).sort()).toEqual([...files].sort());
  for (const moment of ['pending', 'worked']) {
    const told = stage.blame(files).map(({ lines }, i) => {
      const letters = expected[files[i] ?? ''] ?? '';
      return lines.map((line, at) => verdict(stage, actor, line, letters.charAt(at))).join('');
    });
    expect(Object.fromEntries(files.map((file, i) => [file, told[i]])), moment).toEqual(expected);
    stage.git(['agent', 'work']);
  }
}

type Line = ReturnType<Stage['blame']>[number]['lines'][number];

/** The letter that was expected, if that is what it is; else what was told. */
function verdict(stage: Stage, { name, model }: Actor, line: Line, letter: string): string {
  const wrong = `[${line.line} ${line.type} ${line.evidence} ${line.reason} ${line.tool?.name} ${line.model} ${line.text}]`;
  const byAgent = line.type === 'ai' || line.type === 'mixed';
  if (byAgent && (line.tool?.name !== name || line.model !== model || !line.session || !line.event)) return wrong;
  const seen = stage.mode === 'hooks';
  switch (letter) {
    case 'a':
      return line.type === 'ai' ? letter : wrong;
    case 's':
      return line.type === (seen ? 'ai' : 'unknown') ? letter : wrong;
    case 'm':
      return line.type === 'mixed' || line.type === 'human' || (!seen && line.type === 'unknown') ? letter : wrong;
    default:
      return line.type === 'human' || (!seen && line.type === 'unknown') ? letter : wrong;
  }
}
