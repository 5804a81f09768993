// A model of our own for Codex, for what the rehearsal's scripts have no step for: it answers the Responses API from a script whose steps
// are {"tool": NAME, "input": {...}} (a text for a tool that takes one), a list of those (several calls in one answer), or {"say": TEXT};
// {"patch": [LINE, ...]} and {"run": COMMAND} are calls from inside the tool `exec`, which runs JavaScript.
// {"wait": FILE} makes FILE.waiting and goes on when there is a FILE. `delegates` holds the steps of sub-agents by their task.
// Usage: codex-model.mjs SCRIPT PORT
import crypto from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import { untilThere } from './until-there.mjs';

const [file, port] = process.argv.slice(2);
const whole = JSON.parse(fs.readFileSync(file, 'utf8'));
const conversations = new Map([['', whole.turns.flat()], ...Object.entries(whole.delegates ?? {})]);
const makeId = (prefix) => prefix + crypto.randomBytes(8).toString('hex');

/** A sub-agent's conversation has its task in a message; the main one has it in a call only. */
function nextStep({ input = [] }) {
  const said = JSON.stringify(input.filter(({ type }) => !/call/.test(type)));
  const task = [...conversations.keys()].find((key) => key !== '' && said.includes(key));
  return conversations.get(task ?? '').shift() ?? { say: 'Nothing more to do.' };
}

function callOf(step) {
  const script = (call) => ({ tool: 'exec', input: `text(await ${call});` });
  if (step.patch) return script(`tools.apply_patch(${JSON.stringify(step.patch.join('\n'))})`);
  if (step.run) return script(`tools.exec_command(${JSON.stringify({ cmd: step.run })})`);
  return step;
}

function itemsOf(step) {
  if (step.say) {
    const content = [{ type: 'output_text', text: step.say, annotations: [] }];
    return [{ type: 'message', id: makeId('msg_'), role: 'assistant', status: 'completed', content }];
  }
  return [step].flat().map((one) => {
    const { tool, input, namespace } = callOf(one);
    const call = { call_id: makeId('call_'), name: tool, status: 'completed', ...(namespace && { namespace }) };
    return typeof input === 'string'
      ? { type: 'custom_tool_call', id: makeId('ctc_'), ...call, input }
      : { type: 'function_call', id: makeId('fc_'), ...call, arguments: JSON.stringify(input) };
  });
}

function* eventsOf(output) {
  const response = { id: makeId('resp_'), object: 'response', output: [] };
  yield { type: 'response.created', response: { ...response, status: 'in_progress' } };
  for (const [output_index, item] of output.entries()) {
    yield { type: 'response.output_item.added', output_index, item };
    yield { type: 'response.output_item.done', output_index, item };
  }
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 40 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 120,
  };
  yield { type: 'response.completed', response: { ...response, status: 'completed', output, usage } };
}

http
  .createServer((request, response) => {
    let text = '';
    request.on('data', (data) => (text += data));
    request.on('end', async () => {
      if (!request.url?.endsWith('/responses')) {
        response.writeHead(404).end('{}');
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const body = JSON.parse(text);
      let step = nextStep(body);
      for (; step.wait; step = nextStep(body)) await untilThere(step.wait);
      for (const event of eventsOf(itemsOf(step)))
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      response.end();
    });
  })
  .listen(Number(port), '127.0.0.1');
