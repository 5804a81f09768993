import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildPrograms, call, type Programs } from '../cli/program.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { hasTmux, Terminal } from './tmux.ts';

let programs: Programs;
let shop: Workshop;
const terminals: Terminal[] = [];

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `const line${i + 1} = ${i + 1};`);

beforeAll(async () => {
  [programs, shop] = await Promise.all([buildPrograms(), openWorkshop()]);
  shop
    .human('src/a.ts', `${numbered(60).join('\n')}\n`)
    .human('b.txt', 'only a person\n')
    .commit('a beginning');
  shop.prompt('Please add two\nlines \x1b[31mnow');
  const text = numbered(60);
  text.splice(10, 0, '\tconst wide = "漢字 \x1b[31mred";', 'const two = 2;');
  shop.ai('src/a.ts', `${text.join('\n')}\n`);
  shop.commit('what the agent did');
  await shop.work();
  shop.human('big.txt', `${'a line of a big file\n'.repeat(10_000)}`).commit('big');
});
afterEach(() => {
  for (const terminal of terminals.splice(0)) terminal.close();
});
afterAll(() => {
  programs?.remove();
  shop?.remove();
});

async function open(env: NodeJS.ProcessEnv = {}, command = 'git agent-blame -i src/a.ts'): Promise<Terminal> {
  const terminal = new Terminal({ cwd: shop.dir, env: { ...programs.env, HOME: shop.home, ...env } });
  terminals.push(terminal);
  await terminal.until('$');
  terminal.type('echo before; stty -g > $HOME/modes');
  await terminal.until(/^before\n\$/m);
  terminal.type(command);
  return terminal;
}

const cursor = (screen: string) => screen.split('\n').find((line) => line.startsWith('>')) ?? '';

describe.skipIf(!hasTmux)('git agent-blame -i in a terminal (needs tmux)', () => {
  it('moves, searches, jumps, and leaves the terminal as it was', async () => {
    const terminal = await open();
    const first = await terminal.until(/^src\/a\.ts {2}62 lines: A ai 2 \(3%\), H human 60/);
    expect(first.split('\n')).toHaveLength(31);
    expect(cursor(first)).toMatch(/^>H [0-9a-f]{7} Ada .* 1│const line1 = 1;$/);
    expect(first).toMatch(/^ A [0-9a-f]{7} claude-code claude-opus.* 11│ {8}const wide = "漢字 \^\[\[31mred";$/m);
    expect(terminal.ask('#{alternate_on} #{cursor_flag}')).toBe('1 0');
    terminal.keys('a');
    await terminal.until(/^>A .*11│/m);
    terminal.keys('/', 'l', 'i', 'n', 'e', '5', '0', 'Enter');
    await terminal.until(/^>H .*52│const line50/m);
    terminal.keys('G', 'Up');
    await terminal.until(/^>H .*61│const line59/m);
    terminal.keys('u');
    await terminal.until('No unknown line further down.');
    terminal.keys('?');
    await terminal.until('the conversation behind the line, beside the file');
    terminal.keys('x', 'q');
    const after = await terminal.until(/^before\n\$ git agent-blame -i src\/a\.ts\n\$/m);
    expect(after).not.toContain('│');
    expect(terminal.ask('#{alternate_on} #{cursor_flag}')).toBe('0 1');
    terminal.type('echo code $?; stty -g | cmp - $HOME/modes && echo same modes');
    const said = await terminal.until('same modes\n');
    expect(said).toContain('code 0');
  });

  it('shows the conversation that wrote the line, and walks back', async () => {
    const terminal = await open();
    await terminal.until(/^>H .* 1│/m);
    terminal.keys('a', 'Enter');
    const story = await terminal.until(/│ prompt\n/);
    for (const part of [
      /│ type {5}ai, observed, found by note$/m,
      /│ seal {5}unsealed$/m,
      /│ {2}Please add two$/m,
      /│ {2}lines now$/m,
    ])
      expect(story).toMatch(part);
    expect(story).toMatch(/^>A .*│.*│ /m);
    terminal.keys('Tab', 'G');
    await terminal.until(/┃ {2}\+const two = 2;$/m);
    terminal.keys('Tab', 'p');
    const before = await terminal.until(/^src\/a\.ts @ [0-9a-f]{7} \(1 back\) {2}60 lines/);
    expect(cursor(before)).toContain('11│const line11 = 11;');
    await terminal.until(/A person wrote this line/);
    terminal.keys('p');
    await terminal.until('There is nothing before');
    terminal.keys('BSpace');
    await terminal.until(/^src\/a\.ts {2}62 lines/);
  });

  it('filters, and lists the files with their shares', async () => {
    const terminal = await open();
    await terminal.until(/^>H .* 1│/m);
    terminal.keys('f');
    await terminal.until(/^ +2 {2}session: s1 \(claude-code\)$/m);
    terminal.keys('j', 'j', 'j', 'Enter');
    const some = await terminal.until('[only claude-opus-4-5]  2 lines');
    expect(
      some
        .split('\n')
        .slice(1, 4)
        .map((line) => line.slice(0, 2)),
    ).toEqual(['>A', ' A', '']);
    terminal.keys('Escape');
    await terminal.until(/^src\/a\.ts {2}62 lines/);
    terminal.keys('o');
    const files = await terminal.until(/^> src\/a\.ts +AH+ +3 % +62$/m);
    expect(files).toMatch(/^ {2}b\.txt +H+ +0 % +1$/m);
    terminal.keys('g', '/', 'b', '.', 't', 'Enter', 'Enter');
    await terminal.until(/^b\.txt \(1 back\) {2}1 line/);
  });

  it('lists all files before any is counted: they can be sought and opened, and their shares come as they are counted', async () => {
    const [bin, go] = [path.join(shop.home, 'slow'), path.join(shop.home, 'go')];
    const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    // one file is counted at once, the others when they may be
    const wait = `case "$*" in *--incremental*b.txt) ;; *--incremental*) until [ -f ${go} ]; do sleep 0.1; done;; esac`;
    fs.mkdirSync(bin);
    fs.writeFileSync(path.join(bin, 'git'), `#!/bin/sh\n${wait}\nexec ${git} "$@"\n`, { mode: 0o755 });
    const PATH = `${bin}${path.delimiter}${programs.env.PATH}`;
    const terminal = await open({ PATH }, 'git-agent-blame -i src/a.ts');
    await terminal.until(/^>H .* 1│/m);
    terminal.keys('o');
    const listed = await terminal.until(/^> src\/a\.ts +–$/m);
    expect(listed).toMatch(/^Files, and whose lines stand in them {2}\S/);
    expect(listed).toMatch(/^ {2}big\.txt/m);
    await terminal.until(/^ {2}b\.txt +H+ +0 % +1$/m);
    terminal.keys('g', '/', 'b', 'i', 'g', 'Enter', 'Enter');
    await terminal.until(/^big\.txt \(1 back\) {2}10000 lines/);
    fs.writeFileSync(go, '');
    terminal.keys('o');
    const counted = await terminal.until(/^> big\.txt +H+ +0 % +10000$/m);
    expect(counted).toMatch(/^ {2}src\/a\.ts +AH+ +3 % +62$/m);
    await terminal.until(/^Files, and whose lines stand in them\n/);
  });

  it('follows the size of the window, down to the smallest', async () => {
    const terminal = await open();
    await terminal.until(/^>H .* 1│/m);
    terminal.keys('a', 'Enter');
    await terminal.until(/│ prompt\n/);
    terminal.resize(40, 8);
    const narrow = await terminal.until(/^ type {5}ai, observed/m);
    expect(narrow).not.toContain('│');
    terminal.keys('Escape');
    await terminal.until(/^>A .*11│/m);
    terminal.resize(12, 1);
    await terminal.until(/^>A {9}c\n$/);
    terminal.resize(120, 20);
    const wide = await terminal.until(/^>A [0-9a-f]{7} claude-code claude-opus-4-5 /m);
    expect(wide.split('\n')[0]).toMatch(/^src\/a\.ts {2}62 lines/);
  });

  it('opens ten thousand lines, whatever Ink makes of the environment', async () => {
    const terminal = await open({ DEV: 'true', CI: '1' }, 'git agent-blame -i big.txt');
    await terminal.until('10000 lines');
    terminal.keys('G');
    await terminal.until(/^>. .*10000│a line of a big file$/m);
  });

  it('has no colours where none are wanted', async () => {
    const colourful = await open();
    await colourful.until(/^>H .* 1│/m);
    expect(colourful.screen(true)).toMatch(/\x1b\[3[25]m/);
    const bare = await open({ NO_COLOR: '1' });
    await bare.until(/^>H .* 1│/m);
    expect(bare.screen(true)).not.toMatch(/\x1b\[[0-9;]*[1-9]/);
  });

  // SIGUSR2 stands for a mistake of ours that nobody catches
  const MISTAKE = "--import data:text/javascript,process.on('SIGUSR2',()=>{throw%20new%20Error('mistake')})";

  it.each(['TERM', 'HUP', 'USR2'])('a signal %s leaves the terminal as it was', async (signal) => {
    const pid = path.join(shop.home, `pid.${signal}`);
    const program = path.join(programs.dir, 'git-agent-blame.js');
    const env = { NODE_OPTIONS: MISTAKE };
    const terminal = await open(env, `sh -c 'echo $$ > ${pid}; exec node ${program} -i src/a.ts'`);
    await terminal.until(/^>H .* 1│/m);
    process.kill(Number(fs.readFileSync(pid, 'utf8')), `SIG${signal}`);
    await terminal.until(signal === 'USR2' ? 'Error: mistake' : /^before\n/m);
    expect(terminal.ask('#{alternate_on} #{cursor_flag}')).toBe('0 1');
    terminal.keys('Enter').type('stty -g | cmp - $HOME/modes && echo same modes');
    await terminal.until('same modes\n');
  });

  it('stops on ctrl-z and goes on', async () => {
    const terminal = await open({}, 'set -m; git agent-blame -i src/a.ts');
    await terminal.until(/^>H .* 1│/m);
    // the first picture may come a moment before keys are listened to
    terminal.keys('j');
    await terminal.until(/^>H .* 2│/m);
    terminal.keys('C-z');
    await terminal.until(/^before\n[\s\S]*Stopped/m);
    expect(terminal.ask('#{alternate_on} #{cursor_flag}')).toBe('0 1');
    terminal.type('fg');
    await terminal.until(/^>H .* 2│/m);
    terminal.keys('j');
    await terminal.until(/^>H .* 3│/m);
    terminal.keys('C-c');
    await terminal.until(/^before\n/m);
  });
});

describe('git agent-blame -i', () => {
  it('is refused without a terminal, with a hint', () => {
    const { status, stdout, stderr } = call(programs, shop.dir, ['git', 'agent-blame', '--tui', 'src/a.ts']);
    expect([status, stdout, stderr]).toEqual([
      3,
      '',
      'git agent-blame: The full-screen view needs a terminal; git agent-blame src/a.ts prints the same.\n',
    ]);
  });

  it('takes one file', () => {
    const { status, stderr } = call(programs, shop.dir, ['git', 'agent-blame', '-i', '--', 'src/a.ts', 'b.txt']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('takes one file')]);
  });
});
