import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPrograms, type Programs } from '../cli/program.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

const PLUGIN = path.join(import.meta.dirname, '..', '..', 'editors', 'vim');
const PLAIN = ['-u', 'NONE', '-i', 'NONE', '-n'];
const EDITORS = [
  { name: 'nvim', args: ['--headless', ...PLAIN] },
  // -es would be silent, but draws nothing: a dumb terminal of fixed size does
  { name: 'vim', args: ['-N', ...PLAIN, '-T', 'dumb', '--not-a-term'] },
] as const;

let programs: Programs;
let shop: Workshop;

beforeAll(async () => {
  programs = await buildPrograms();
  shop = await openWorkshop();
  shop.human('a.ts', 'typed by Ada\n');
  shop.commit('begin');
  shop.prompt('Please add a line', 'talk-one');
  shop.ai('a.ts', 'typed by Ada\nwritten by the agent\n', 'talk-one');
  shop.commit('more');
  shop.human('crlf.txt', 'one\r\ntwo\r\n');
  shop.commit('other endings');
  const long = 'a line\n'.repeat(20_000);
  shop.human('long.txt', long).commit('long');
  shop.prompt('Please make it longer', 'talk-two');
  shop.ai('long.txt', `${long}one more\n`, 'talk-two');
  shop.commit('longer');
  shop.human('untracked.ts', 'nobody knows\n');
});
afterAll(() => {
  shop?.remove();
  programs?.remove();
});

interface Played {
  readonly said: Readonly<Record<string, unknown>>;
  readonly status: number | null;
  readonly screen: string;
}

/** Opens a file, runs lines of Vim script that put what they see into `g:said`, and leaves. */
function play(
  editor: (typeof EDITORS)[number],
  file: string,
  script: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Played {
  const [source, result] = ['script.vim', 'said.json'].map((name) => path.join(shop.home, `${editor.name}-${name}`));
  const lines = [
    'let g:said = {}',
    // what is known of the buffer as it stands now
    'function! Known() abort',
    '  return getbufvar(g:file, "agent_blame", {}) isnot# {} && get(getbufvar(g:file, "agent_blame", {}), "tick", -1) == getbufvar(g:file, "changedtick")',
    'endfunction',
    'function! Waited(condition) abort',
    '  for i in range(600)',
    '    if eval(a:condition) | return 1 | endif',
    '    sleep 25m',
    '  endfor',
    '  return 0',
    'endfunction',
    'let g:file = bufnr("%")',
    'try',
    ...script,
    'catch',
    '  let g:said.error = v:exception . " at " . v:throwpoint',
    'endtry',
    'let g:said.messages = execute("messages")',
    `call writefile([json_encode(g:said)], '${result}')`,
    'qall!',
  ];
  fs.writeFileSync(source ?? '', `${lines.join('\n')}\n`);
  const args = [...editor.args, '--cmd', `set rtp^=${PLUGIN}`, '--cmd', `source ${PLUGIN}/plugin/agent_blame.vim`];
  const { status, stdout, stderr } = spawnSync(editor.name, [...args, '-S', source ?? '', file], {
    cwd: shop.dir,
    env: { ...programs.env, HOME: shop.home, TERM: 'dumb', ...env },
    encoding: 'utf8',
    timeout: 40_000,
    input: '',
  });
  const said = JSON.parse(fs.readFileSync(result ?? '', 'utf8'));
  fs.rmSync(result ?? '');
  return { said, status, screen: `${stdout}${stderr}` };
}

const VIRTUAL = [
  'let g:ns = nvim_get_namespaces()["agent_blame"]',
  'let g:said.shown = map(nvim_buf_get_extmarks(0, g:ns, 0, -1, {"details": v:true}), {_, m -> [m[1], m[3].virt_text[0][0]]})',
];

describe.each(EDITORS.map((editor) => [editor.name, editor] as const))('%s', (name, editor) => {
  const missing = spawnSync(name, ['--version']).error !== undefined;
  const title = (text: string) => (missing ? `${text} (needs ${name} on PATH)` : text);

  it.skipIf(missing)(title('tells who wrote the current line'), () => {
    const { said, screen } = play(editor, 'a.ts', [
      'call cursor(2, 1)',
      'call agent_blame#show()',
      'let g:said.known = Waited("Known()")',
      'let g:said.labels = map(copy(b:agent_blame.lines), {_, line -> agent_blame#label(line)})',
      'call agent_blame#show()',
      ...(name === 'nvim' ? VIRTUAL : []),
    ]);
    expect(said).toMatchObject({ known: 1 });
    const labels = said.labels as string[];
    expect(labels[0]).toMatch(/^human .+ \d{4}-\d\d-\d\d [0-9a-f]{8}$/);
    expect(labels[1]).toMatch(/^ai claude-code claude-opus-4-5-20251101 \d{4}-\d\d-\d\d [0-9a-f]{8}$/);
    if (name === 'nvim') expect(said.shown).toEqual([[1, `    ${labels[1]}`]]);
    else expect(screen).toContain('ai claude-code claude-opus');
  });

  it.skipIf(missing)(title('speaks of the buffer and not of the file, and asks once per change'), () => {
    const { said } = play(editor, 'a.ts', [
      'call append(0, "only in the buffer")',
      'call agent_blame#show()',
      'let g:said.known = Waited("Known()")',
      'let g:said.types = map(copy(b:agent_blame.lines), {_, line -> line.type})',
      'let g:said.texts = map(copy(b:agent_blame.lines), {_, line -> line.text})',
      'let b:agent_blame.lines[0].type = "kept"',
      'call agent_blame#show()',
      'sleep 50m',
      'let g:said.cached = b:agent_blame.lines[0].type',
    ]);
    expect(said).toMatchObject({
      known: 1,
      types: ['unknown', 'human', 'ai'],
      texts: ['only in the buffer', 'typed by Ada', 'written by the agent'],
      cached: 'kept',
    });
    expect(shop.read('a.ts')).toBe('typed by Ada\nwritten by the agent\n');
  });

  it.skipIf(missing)(title('keeps the line ends that the file has'), () => {
    const { said } = play(editor, 'crlf.txt', [
      'call agent_blame#show()',
      'let g:said.known = Waited("Known()")',
      'let g:said.committed = map(copy(b:agent_blame.lines), {_, line -> type(line.commit) == v:t_string})',
    ]);
    expect(JSON.stringify(said.committed)).toMatch(/^\[(?:true|1),(?:true|1)\]$/);
  });

  it.skipIf(missing)(title(':AgentBlame and :AgentWhy open splits'), () => {
    const { said } = play(editor, 'a.ts', [
      'call cursor(2, 1)',
      'AgentBlame',
      'let g:said.blamed = Waited("bufnr(\\"%\\") != g:file")',
      'let g:said.blame = getline(1, "$")',
      'let g:said.at = line(".")',
      'let g:said.scratch = &buftype',
      'quit',
      'AgentWhy',
      'let g:said.told = Waited("bufnr(\\"%\\") != g:file")',
      'let g:said.why = join(getline(1, "$"), "\\n")',
      'quit',
      'AgentWhy!',
      'call Waited("bufnr(\\"%\\") != g:file")',
      'let g:said.whole = join(getline(1, "$"), "\\n")',
    ]);
    expect(said).toMatchObject({ blamed: 1, told: 1, at: 2, scratch: 'nofile' });
    expect((said.blame as string[])[1]).toContain('written by the agent');
    expect((said.blame as string[])[1]).toContain('claude-code');
    expect(said.why).toContain('Please add a line');
    expect(said.whole).toMatch(/session\s+talk-one/);
    expect(said.whole).toContain('Please add a line');
  });

  it.skipIf(missing)(title(':AgentWhy in a buffer that is not saved shows the step that made the line'), () => {
    const { said } = play(editor, 'a.ts', [
      'call append(0, "only in the buffer")',
      'call cursor(3, 1)',
      'AgentWhy',
      'let g:said.told = Waited("bufnr(\\"%\\") != g:file")',
      'let g:said.why = join(getline(1, "$"), "\\n")',
    ]);
    expect(said.told).toBe(1);
    expect(said.why).toMatch(/^a\.ts:3 {2}written by the agent\n/);
    expect(said.why).toContain('Please add a line');
  });

  it.skipIf(missing)(title('tells of a long file where it is asked to, by itself up to 20,000 lines'), () => {
    const { said } = play(editor, 'long.txt', [
      'call cursor(20001, 1)',
      'call agent_blame#show()',
      'let g:said.asked = exists("b:agent_blame_asked")',
      'AgentWhy',
      'let g:said.told = Waited("bufnr(\\"%\\") != g:file")',
      'let g:said.why = join(getline(1, "$"), "\\n")',
      'quit',
      'AgentBlame',
      'let g:said.blamed = Waited("bufnr(\\"%\\") != g:file")',
      'let g:said.blame = [line("."), getline(20001), line("$")]',
    ]);
    expect(said).toMatchObject({ asked: 0, told: 1, blamed: 1 });
    expect(said.why).toContain('Please make it longer');
    expect(said.blame).toEqual([20001, expect.stringContaining('claude-code'), expect.any(Number)]);
  });

  it.skipIf(missing)(title('a line that a person wrote has no conversation'), () => {
    const { said } = play(editor, 'a.ts', [
      'AgentWhy',
      'call Waited("execute(\\"messages\\") =~# \\"conversation\\"")',
    ]);
    expect(said.messages).toContain('No conversation is known behind this line: human');
  });

  it.skipIf(missing)(title('is silent where git does not know the file, or the command is not there'), () => {
    const quiet = [
      'call agent_blame#show()',
      'let g:said.known = Waited("Known()")',
      'let g:said.lines = b:agent_blame.lines',
    ];
    const untracked = play(editor, 'untracked.ts', [...quiet, 'call agent_blame#show()']);
    expect(untracked.said).toMatchObject({ known: 1, lines: [] });
    expect(untracked.said.messages).not.toMatch(/E\d+|error|fatal/i);
    const PATH = (process.env.PATH ?? '')
      .split(path.delimiter)
      .filter((one) => !fs.existsSync(`${one}/git-agent-blame`));
    const without = play(
      editor,
      'a.ts',
      ['call agent_blame#show()', 'sleep 100m', 'let g:said.asked = exists("b:agent_blame_asked")'],
      {
        PATH: PATH.join(path.delimiter),
      },
    );
    expect(without.said).toMatchObject({ asked: 0 });
    expect(without.said.messages).not.toMatch(/E\d+|error|fatal/i);
  });
});
