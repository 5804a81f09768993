import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Installed, install, Stage } from './rehearsal.ts';

const { Database } = createRequire(import.meta.url)('node-sqlite3-wasm');

/** Agents that cannot be run here. What they leave behind is made by us, in the shape of what was recorded or of their source. */
const APP = "import http from 'node:http';\nconst port = 3000;\nhttp.createServer();\n";
const [OLD, NEW] = ['const port = 3000;', 'const port = 8080;'];
const GREET = "export const greet = 'hi';\n";

let installed: Installed;
let stage: Stage;
beforeAll(async () => {
  installed = await install();
});
afterAll(() => installed.remove());
afterEach(() => stage.remove());

const write = (file: string, value: unknown) => {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(value));
};

function database(file: string, schema: string, rows: readonly [string, readonly unknown[]][]): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const owner = new Database(file);
  owner.exec(schema);
  for (const [sql, values] of rows) owner.run(sql, values);
  owner.close();
}

type Leave = (place: { home: string; dir: string; at: number }) => void;

const LEAVE: Record<string, Leave> = {
  amp: ({ home, dir, at }) => {
    const use = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input, complete: true });
    const done = (toolUseID: string, result: unknown) => ({
      type: 'tool_result',
      toolUseID,
      run: { status: 'done', result },
    });
    const diff = `--- a\n+++ b\n@@ -1,3 +1,3 @@\n ${APP.split('\n')[0]}\n-${OLD}\n+${NEW}\n http.createServer();\n`;
    const calls = [
      use('c1', 'create_file', { path: `${dir}/greet.ts`, content: GREET }),
      use('c2', 'edit_file', { path: `${dir}/app.ts`, old_str: OLD, new_str: NEW }),
    ];
    write(`${home}/.local/share/amp/threads/T-1.json`, {
      id: 'T-1',
      created: at,
      messages: [
        { role: 'user', messageId: 0, content: [{ type: 'text', text: 'Go.' }], meta: { sentAt: at } },
        {
          role: 'assistant',
          messageId: 1,
          content: calls,
          usage: { model: 'gpt-5', timestamp: new Date(at).toISOString() },
        },
        { role: 'user', messageId: 2, content: [done('c1', 'ok'), done('c2', { diff })] },
      ],
      env: { initial: { trees: [{ uri: `file://${dir}` }] } },
    });
  },
  goose: ({ home, dir, at }) => {
    const call = (id: string, name: string, args: object) => ({
      type: 'toolRequest',
      id,
      toolCall: { status: 'success', value: { name, arguments: args } },
    });
    const answer = (id: string, text: string) => ({
      type: 'toolResponse',
      id,
      toolResult: { status: 'success', value: { content: [{ type: 'text', text }], isError: false } },
    });
    const messages = [
      ['user', [{ type: 'text', text: 'Go.' }]],
      [
        'assistant',
        [
          call('c1', 'write', { path: 'greet.ts', content: GREET }),
          call('c2', 'edit', { path: 'app.ts', before: OLD, after: NEW }),
        ],
      ],
      ['user', [answer('c1', 'Created greet.ts (1 lines)'), answer('c2', 'Edited app.ts (1 lines -> 1 lines)')]],
    ] as const;
    const schema =
      'CREATE TABLE sessions (id TEXT, working_dir TEXT, created_at TIMESTAMP); CREATE TABLE messages (id INTEGER PRIMARY KEY, message_id TEXT, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER, timestamp TIMESTAMP, metadata_json TEXT);';
    database(`${home}/.local/share/goose/sessions/sessions.db`, schema, [
      ['INSERT INTO sessions VALUES (?, ?, ?)', ['20260102_1', dir, '2026-01-02 10:00:00']],
      ...messages.map(([role, content], i): [string, unknown[]] => [
        'INSERT INTO messages (message_id, session_id, role, content_json, created_timestamp) VALUES (?, ?, ?, ?, ?)',
        [`m${i}`, '20260102_1', role, JSON.stringify(content), Math.floor(at / 1000)],
      ]),
    ]);
  },
  roo: ({ home, dir, at }) => {
    const use = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
    const saved = (id: string, file: string, operation: string) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: JSON.stringify({ path: file, operation }),
    });
    const diff = `<<<<<<< SEARCH\n${OLD}\n=======\n${NEW}\n>>>>>>> REPLACE`;
    const task = `${home}/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/0198c0de-0000-7000-8000-000000000001`;
    write(`${task}/history_item.json`, { workspace: dir });
    write(`${task}/api_conversation_history.json`, [
      { role: 'user', content: [{ type: 'text', text: '<user_message>\nGo.\n</user_message>' }], ts: at },
      {
        role: 'assistant',
        content: [
          use('c1', 'write_to_file', { path: 'greet.ts', content: GREET }),
          use('c2', 'apply_diff', { path: 'app.ts', diff }),
        ],
        ts: at,
      },
      { role: 'user', content: [saved('c1', 'greet.ts', 'created'), saved('c2', 'app.ts', 'modified')], ts: at },
    ]);
  },
  zed: ({ home, dir, at }) => {
    const root = path.basename(dir);
    const use = (id: string, name: string) => ({ ToolUse: { id, name, input: {} } });
    const answer = (file: string, before: string, after: string) => ({
      is_error: false,
      content: [],
      output: { input_path: `${root}/${file}`, old_text: before, new_text: after },
    });
    const thread = {
      version: '0.3.0',
      messages: [
        { User: { id: 'u', content: [{ Text: 'Go.' }] } },
        {
          Agent: {
            content: [use('c1', 'write_file'), use('c2', 'edit_file')],
            tool_results: {
              c1: answer('greet.ts', '', GREET),
              c2: answer('app.ts', APP, APP.replace(OLD ?? '', NEW ?? '')),
            },
          },
        },
      ],
    };
    const time = new Date(at).toISOString();
    database(
      `${home}/.local/share/zed/threads/threads.db`,
      'CREATE TABLE threads (id TEXT, summary TEXT, updated_at TEXT, data_type TEXT, data BLOB, folder_paths TEXT, created_at TEXT)',
      [
        [
          'INSERT INTO threads VALUES (?, ?, ?, ?, ?, ?, ?)',
          ['t1', 'x', time, 'json', Buffer.from(JSON.stringify(thread)), dir, time],
        ],
      ],
    );
  },
};

const edit = () => stage.human('app.ts', APP.replace(OLD ?? '', NEW ?? '')).human('greet.ts', GREET);
const told = () =>
  stage
    .blame(['app.ts', 'greet.ts'])
    .map(({ lines }) => lines.map((line) => (line.type === 'ai' ? (line.tool?.name ?? '!') : line.type)));

describe('from what the agent itself writes down', () => {
  test.each(Object.entries(LEAVE))(
    '%s',
    async (name, leave) => {
      stage = new Stage('transcripts', installed, { rehearsed: name, name });
      stage.human('app.ts', APP).init().commit('start');
      await new Promise((done) => setTimeout(done, 1100)); // some clocks know seconds only
      edit();
      leave({ home: stage.home, dir: stage.dir, at: Date.now() });
      stage.commit('theirs');
      for (let i = 0; i < 2; i++) {
        expect(told()).toEqual([['unknown', name, 'unknown'], [name]]);
        stage.git(['agent', 'work']);
      }
      const story = stage.git(['agent', 'show', 'app.ts:2']);
      expect(story).toContain('Go.');
      expect(story).toContain(NEW);
    },
    60_000,
  );
});

test('windsurf, by its hooks', () => {
  stage = new Stage('hooks', installed, { rehearsed: 'windsurf', name: 'windsurf' });
  stage.init().human('app.ts', APP).commit('start');
  const settings = path.join(stage.home, '.codeium', 'windsurf', 'hooks.json');
  const { hooks } = JSON.parse(fs.readFileSync(settings, 'utf8'));
  const call = (action: string, info: object) => {
    const [{ command }] = hooks[action];
    const input = JSON.stringify({
      agent_action_name: action,
      trajectory_id: 's-1',
      execution_id: 'e',
      tool_info: info,
    });
    const env = { ...installed.env, HOME: stage.home };
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
      cwd: stage.dir,
      env,
      input,
      encoding: 'utf8',
    });
    expect([status, stdout, stderr]).toEqual([0, '', '']);
  };
  call('pre_user_prompt', { user_prompt: 'Go.' });
  edit();
  call('post_write_code', { file_path: `${stage.dir}/app.ts`, edits: [{ old_string: OLD, new_string: NEW }] });
  call('post_write_code', { file_path: `${stage.dir}/greet.ts`, edits: [{ old_string: '', new_string: GREET }] });
  call('pre_run_command', { command_line: 'echo x > gen.txt', cwd: stage.dir });
  stage.human('gen.txt', 'x\n');
  call('post_run_command', { command_line: 'echo x > gen.txt', cwd: stage.dir });
  call('post_cascade_response', { response: 'Done.' });
  stage.human('mine.txt', 'typed\n').commit('all');
  const types = (file: string) => stage.blame([file])[0]?.lines.map(({ type }) => type);
  for (let i = 0; i < 2; i++) {
    expect(told()).toEqual([['human', 'windsurf', 'human'], ['windsurf']]);
    expect([types('gen.txt'), types('mine.txt')]).toEqual([['ai'], ['human']]);
    stage.git(['agent', 'work']);
  }
  expect(stage.git(['agent', 'show', 'app.ts:2'])).toContain('Go.');
  expect(stage.git(['agent', 'show', 'gen.txt:1'])).toContain('echo x');
  stage.git(['agent', 'deinit']);
  expect(fs.existsSync(settings)).toBe(false);
}, 60_000);
