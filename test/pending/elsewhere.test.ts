import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

/** A session that began in another repository, and edits here. */
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('f.ts', 'person one\n').commit('start');
});
afterEach(() => shop.remove());

test('its transcript names the model, also of a call of which it does not tell the end yet', async () => {
  const transcript = path.join(shop.home, '.claude', 'projects', '-elsewhere', 's9.jsonl');
  fs.mkdirSync(path.dirname(transcript), { recursive: true });
  const [file, content] = [path.join(shop.dir, 'g.ts'), 'agent one\nagent two\n'];
  const input = { file_path: file, content };
  const call = { type: 'tool_use', id: 'toolu_1', name: 'Write', input };
  const message = { id: 'm1', role: 'assistant', model: 'claude-opus-4-5-20251101', content: [call] };
  const line = { type: 'assistant', uuid: 'u1', sessionId: 's9', cwd: shop.home, timestamp: new Date().toISOString() };
  fs.writeFileSync(transcript, `${JSON.stringify({ ...line, message })}\n`);
  fs.writeFileSync(file, content);
  shop.hook('event', 's9', {
    ...{ cwd: shop.dir, transcript_path: transcript, hook_event_name: 'PostToolUse' },
    ...{ tool_name: 'Write', tool_use_id: 'toolu_1', tool_input: input },
    tool_response: { type: 'create', filePath: file, content, structuredPatch: [], originalFile: null },
  });
  const commit = shop.commit('theirs');
  await shop.work();
  expect(shop.git('notes', '--ref=agent/trace', 'show', commit)).toContain('"model_id":"anthropic/claude-opus-4-5');
});
