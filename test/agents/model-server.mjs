// A model of our own for tools that the rehearsal's scripts have no step for: it answers the Messages API from a script whose steps are
// {"tool": NAME, "input": {...}}, a list of those (several calls in one message), or {"say": TEXT}; `$CWD` stands for the start folder.
// {"wait": FILE} makes FILE.waiting and goes on when there is a FILE. `delegates` holds the steps of sub-agents by their prompt. Usage: model-server.mjs SCRIPT PORT, started in the start folder.
import crypto from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import { untilThere } from './until-there.mjs';

const [file, port] = process.argv.slice(2);
const whole = JSON.parse(fs.readFileSync(file, 'utf8').replaceAll('$CWD', process.cwd()));
const conversations = new Map([
  ['', whole.turns.flat()],
  ...Object.entries(whole.delegates ?? {}).map(([prompt, steps]) => [prompt, [...steps]]),
]);
const makeId = (prefix) => prefix + crypto.randomBytes(8).toString('hex');

/** A sub-agent's conversation begins with the prompt it was given. */
function nextStep({ messages = [], tools = [] }) {
  if (!tools.some(({ name }) => name === 'Edit')) return { say: 'An aside.' };
  const first = JSON.stringify(messages[0]?.content ?? '');
  const prompt = [...conversations.keys()].find(
    (key) => key !== '' && first.includes(JSON.stringify(key).slice(1, -1)),
  );
  return conversations.get(prompt ?? '').shift() ?? { say: 'Nothing more to do.' };
}

function blocksOf(step) {
  if (step.say) return [{ type: 'text', text: step.say }];
  return [step].flat().map(({ tool, input }) => ({ type: 'tool_use', id: makeId('toolu_'), name: tool, input }));
}

function* eventsOf(model, blocks) {
  const usage = { input_tokens: 10, output_tokens: 1 };
  const stop = blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
  const message = {
    id: makeId('msg_'),
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    usage,
  };
  yield { type: 'message_start', message };
  for (const [index, block] of blocks.entries()) {
    const call = block.type === 'tool_use';
    yield {
      type: 'content_block_start',
      index,
      content_block: call ? { ...block, input: {} } : { ...block, text: '' },
    };
    const delta = call
      ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
      : { type: 'text_delta', text: block.text };
    yield { type: 'content_block_delta', index, delta };
    yield { type: 'content_block_stop', index };
  }
  yield { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 5 } };
  yield { type: 'message_stop' };
}

async function answer(request, response) {
  let text = '';
  for await (const chunk of request) text += chunk;
  if (request.method !== 'POST') return response.writeHead(200).end();
  const body = JSON.parse(text || '{}');
  if (request.url.includes('count_tokens')) {
    return response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":10}');
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let step = nextStep(body);
  for (; step.wait; step = nextStep(body)) await untilThere(step.wait);
  for (const event of eventsOf(body.model, blocksOf(step))) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}

http.createServer(answer).listen(Number(port), '127.0.0.1');
