import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeFolder } from '../support/remove.ts';
import { makeFolder, makeRepository, type TestRepository } from '../support/repository.ts';

/** Some agents' settings cannot tell tools apart: then the shim takes snapshots where the payload names a tool that may write any file. */
const SHIM = path.join(import.meta.dirname, '../../git-hooks/agent-hook');

let repository: TestRepository;
let temporary: string;
beforeEach(() => {
  repository = makeRepository();
  temporary = makeFolder('hook');
  const agent = path.join(repository.dir, '.git/agent');
  fs.mkdirSync(agent);
  for (const file of ['journal', 'since.json']) fs.writeFileSync(path.join(agent, file), '');
});
afterEach(() => {
  repository.remove();
  removeFolder(temporary);
});

const tool = (name: string) => ({ toolName: name, toolArgs: { path: 'a.ts' } });

test.each<[string, object, boolean]>([
  ['a shell', tool('bash'), true],
  ['a shell, in Cline’s words', { tool_call: { name: 'run_commands', input: {} } }, true],
  ['a server’s tool', tool('files-write_file'), true],
  ['a server’s tool, in VS Code’s words', { tool_name: 'mcp_files_write', tool_input: {} }, true],
  ['a server’s tool, in Cline’s words', { tool_call: { name: 'files__write_file', input: {} } }, true],
  ['an editor', tool('edit'), false],
  [
    'an editor that writes of tools',
    { toolName: 'create', toolArgs: { name: 'a-b', content: '"toolName":"bash"' } },
    false,
  ],
  ['a tool that looks', tool('grep_search'), false],
])('%s', (_, payload, may) => {
  const whole = JSON.stringify({ sessionId: 's', cwd: repository.dir, ...payload });
  for (const mode of ['pre', 'post']) {
    const env = { ...process.env, TMPDIR: temporary };
    expect(spawnSync('sh', [SHIM, 'copilot', mode], { cwd: repository.dir, input: whole, env }).status).toBe(0);
  }
  const lines = fs.readFileSync(path.join(repository.dir, '.git/agent/journal'), 'utf8').trim().split('\n');
  const facts = lines.map((line) => JSON.parse(line) as { tree?: string });
  // what is about to edit is told when it has
  expect(facts.map(({ tree }) => tree !== undefined)).toEqual(may ? [true, true] : [false]);
});
