import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Installed, install, Stage } from './rehearsal.ts';

/** Aider is a Python program (`pip install aider-chat`), measured with 0.86.2: `AIDER=/path/to/aider`, or on PATH. */
const AIDER = process.env.AIDER ?? 'aider';
const left = whyNot();
const title = `the real aider${left ? ` (left out: ${left})` : ''}`;

function whyNot(): string | undefined {
  if (!/^(?:all|aider)$/.test(process.env.AGENTS ?? '')) return 'AGENTS=aider runs it';
  if (spawnSync('unshare', ['-n', 'true']).status !== 0) return 'no network of its own can be made here';
  return spawnSync(AIDER, ['--version'], { timeout: 120_000 }).status === 0 ? undefined : 'there is no aider here';
}

const PORT = 8766; // each run has a network of its own
const FLAGS =
  '--model openai/scripted-1 --no-check-update --no-show-release-notes --no-show-model-warnings --analytics-disable ' +
  '--no-gitignore --no-pretty --no-stream --yes-always';

/** Aider is asked once, and answered with these texts. */
async function ask(stage: Stage, prompt: string, { answers, args }: { answers: readonly string[]; args: string }) {
  const script = path.join(stage.root, 'answers.json');
  fs.writeFileSync(script, JSON.stringify(answers));
  const model = `'${process.execPath}' '${path.join(import.meta.dirname, 'aider-model.mjs')}' '${script}' ${PORT}`;
  const run = `ip link set lo up; ${model} & sleep 1; '${AIDER}' ${FLAGS} --message '${prompt}' ${args}; code=$?; kill $!; exit $code`;
  const env = {
    ...process.env,
    HOME: stage.home,
    OPENAI_API_BASE: `http://127.0.0.1:${PORT}/v1`,
    OPENAI_API_KEY: 'none',
  };
  const child = spawn('unshare', ['-n', '-p', '--fork', '--kill-child', 'sh', '-c', run], {
    cwd: stage.dir,
    env: { ...env, TERM: 'dumb' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()));
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`aider ended with ${code}: ${said}`);
}

const block = (file: string, old: string, text: string) =>
  `${file}\n\`\`\`ts\n<<<<<<< SEARCH\n${old}=======\n${text}>>>>>>> REPLACE\n\`\`\`\n`;

const APP = "import http from 'node:http';\nconst port = 3000;\nhttp.createServer();\n";
const GREET = "export const greet = () => {\n  const words = 'Good day';\n  return words;\n};\n";

describe.skipIf(left)(title, () => {
  let installed: Installed;
  let stage: Stage;
  beforeAll(async () => {
    installed = await install();
  });
  afterAll(() => installed.remove());
  afterEach(() => stage.remove());

  /** A letter for each line: its type, and whether it is the agent's, with all that belongs to it. */
  const letters = (files: readonly string[]) =>
    Object.fromEntries(
      stage.blame(files).map(({ lines }, i) => [
        files[i],
        lines
          .map((line) => {
            const whole = line.tool?.name === 'aider' && line.model === null && line.session && line.event;
            return line.type === 'ai' && !whole ? '!' : line.type.charAt(0);
          })
          .join(''),
      ]),
    );

  test('edits that it commits, one that does not fit, a person’s work before it, lines further in', async () => {
    stage = new Stage('hooks', installed, { rehearsed: 'aider', name: 'aider' });
    fs.mkdirSync(path.join(stage.home, '.aider'));
    // somebody else's hooks vouch for the person's lines
    stage.git(['agent', 'init', '--agents', 'aider,claude-code']);
    stage.human('src/app.ts', APP).human('.gitignore', '.aider*\n').commit('start');
    const first = [
      block('src/greet.ts', '', GREET),
      block('src/app.ts', 'const port = 3000;\n', 'const port = 80;\n// ok\n'),
    ];
    await ask(stage, 'Greet.', { answers: [`Here:\n\n${first.join('\n')}`], args: '--edit-format diff src/app.ts' });
    stage.human('src/app.ts', `${stage.read('src/app.ts')}// typed\n`);
    const second = [
      block('src/app.ts', 'not there\n', 'never\n'),
      block('src/app.ts', 'http.createServer();\n', 'http.listen();\n'),
    ];
    const third = block('src/app.ts', '// ok\n', '// better\n');
    await ask(stage, 'Listen.', { answers: [second.join('\n'), third], args: '--edit-format diff src/app.ts' });
    const flat = block(
      'src/greet.ts',
      "const words = 'Good day';\nreturn words;\n",
      "const words = 'Hello';\nreturn words.trim();\n",
    );
    await ask(stage, 'Shout.', { answers: [flat], args: '--edit-format diff src/greet.ts' });
    expect(stage.read('src/greet.ts')).toContain("  const words = 'Hello';\n  return words.trim();\n");
    expect(stage.git(['rev-list', '--count', 'HEAD'])).toBe('6');
    for (let i = 0; i < 2; i++) {
      // the person's line was committed within the same second as the edit after it: no model takes so little time
      expect(letters(['src/app.ts', 'src/greet.ts'])).toEqual({ 'src/app.ts': 'haaah', 'src/greet.ts': 'aaaa' });
      stage.git(['agent', 'work']);
    }
    expect(stage.git(['agent', 'show', 'src/greet.ts:2'])).toContain('Shout.');
  }, 600_000);

  test('whole files that a person commits', async () => {
    stage = new Stage('hooks', installed, { rehearsed: 'aider', name: 'aider' });
    fs.mkdirSync(path.join(stage.home, '.aider'));
    stage.init().human('a.ts', APP).human('.gitignore', '.aider*\n').commit('start');
    const answer = `a.ts\n\`\`\`ts\n${APP.replace('3000', '80')}\`\`\`\n\nb.ts\n\`\`\`ts\nexport {};\n\`\`\`\n`;
    await ask(stage, 'Go.', { answers: [answer], args: '--edit-format whole --no-auto-commits a.ts' });
    stage.human('mine.txt', 'typed\n').commit('mine');
    stage.git(['agent', 'work']);
    // a history alone does not vouch for a person
    expect(letters(['a.ts', 'b.ts', 'mine.txt'])).toEqual({ 'a.ts': 'uuu', 'b.ts': 'a', 'mine.txt': 'u' });
  }, 600_000);
});
