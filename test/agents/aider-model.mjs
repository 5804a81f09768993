// A model on loopback for aider: answers one text after the other. `aider-model.mjs ANSWERS.json PORT`
import fs from 'node:fs';
import http from 'node:http';

const [file, port] = process.argv.slice(2);
const answers = JSON.parse(fs.readFileSync(file, 'utf8'));

const server = http.createServer((request, response) => {
  let raw = '';
  request.on('data', (data) => {
    raw += data;
  });
  request.on('end', () => {
    const { model, messages = [] } = raw ? JSON.parse(raw) : {};
    // aider asks for the message of each commit too
    const forCommit = /commit message/i.test(JSON.stringify(messages[0] ?? '').slice(0, 2000));
    const content = forCommit ? 'feat: as scripted' : (answers.shift() ?? 'Nothing more to do.');
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
    const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model, choices, usage }));
  });
});
server.listen(Number(port), '127.0.0.1');
