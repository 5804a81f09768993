import path from 'node:path';
import { type Line, textOf } from '../line.ts';
import type { Operation, Stage } from '../stage.ts';
import { start } from './histories.ts';

const indented = (lines: readonly Line[]) => lines.map((line) => ({ ...line, text: line.text && `    ${line.text}` }));

/** Uncommitted: an agent's block in f.ts. */
function block(stage: Stage) {
  const base = start(stage);
  const { pen } = stage;
  const a = [pen.own('s1'), ...pen.lines('s1', 3), pen.own('s1')];
  const surround = (...middle: (readonly Line[])[]) => [...base.slice(0, 4), ...middle.flat(), ...base.slice(4)];
  stage.put('f.ts', 's1', surround(a));
  return { base, a, with: surround };
}

function typed(stage: Stage): Line[] {
  return [stage.pen.own('me'), ...stage.pen.lines('me', 2), stage.pen.own('me')];
}

export const SAVES: Record<string, Operation> = {
  'format on save': (stage) => {
    const one = block(stage);
    const h = typed(stage);
    stage.put('f.ts', 'me', one.with(indented(one.a), h));
    stage.commit('formatted');
    stage.is({ 'f.ts': one.with(indented(one.a), h) });
  },
  'a person types, an agent writes the whole file again': (stage) => {
    const one = block(stage);
    const [h, more] = [typed(stage), [stage.pen.own('s2'), ...stage.pen.lines('s2', 2)]];
    stage.put('f.ts', 'me', one.with(one.a, h));
    stage.put('f.ts', 's2', one.with(one.a, h, more));
    stage.put('f.ts', 's2', one.with(one.a, h, more));
    stage.commit('both');
    stage.is({ 'f.ts': one.with(one.a, h, more) });
  },
  'an old buffer is saved over an agent’s edit, and the edit comes back': (stage) => {
    const one = block(stage);
    const h = typed(stage);
    stage.put('f.ts', 'me', one.with(h));
    stage.put('f.ts', 's1', one.with(one.a, h));
    stage.commit('both');
    stage.is({ 'f.ts': one.with(one.a, h) });
  },
  'a person saves while an agent looks about': (stage) => savedDuring(stage, 'ls -la && git status'),
  'a person saves while an agent’s tests run': (stage) => savedDuring(stage, 'npm test'),
  'a person saves while an agent writes another file': (stage) => savedDuring(stage, 'echo done > n.ts'),
  'a person types between two writes that show nothing of what was there': (stage) => {
    const one = block(stage);
    const unseen = (lines: readonly Line[]) => lines.map((line) => ({ ...line, unseen: true as const }));
    const [h, more] = [typed(stage), unseen([stage.pen.own('s2'), ...stage.pen.lines('s2', 2)])];
    stage.put('f.ts', 'me', one.with(one.a, unseen(h)));
    blindly(stage, 's2', one.with(one.a, unseen(h), more));
    stage.commit('both');
    stage.is({ 'f.ts': one.with(one.a, unseen(h), more) });
  },
  'a person’s lines are taken out by an agent and put back': (stage) => {
    const base = start(stage);
    const h = typed(stage);
    const surround = (...middle: (readonly Line[])[]) => [...base.slice(0, 4), ...middle.flat(), ...base.slice(4)];
    stage.put('f.ts', 'me', surround(h));
    const a = [stage.pen.own('s1'), ...stage.pen.instead('s1', 2, h)];
    stage.put('f.ts', 's1', surround(a));
    stage.put('f.ts', 's1', surround(h, a));
    stage.commit('both');
    stage.is({ 'f.ts': surround(h, a) });
  },
};

/** A write over a file by an agent that does not say what it wrote over. */
function blindly(stage: Stage, by: string, lines: readonly Line[]): void {
  const [id, content] = ['toolu_blind', textOf(lines)];
  stage.guesses.see(lines);
  stage.shop.human('f.ts', content);
  const tool_input = { file_path: path.join(stage.shop.dir, 'f.ts'), content };
  stage.shop.tell(by, id, 'Write', tool_input);
  const tool_response = { type: 'update', filePath: tool_input.file_path };
  const call = { tool_name: 'Write', tool_use_id: id, tool_input, tool_response };
  stage.shop.hook('event', by, { hook_event_name: 'PostToolUse', ...call });
}

/** An agent's command begins, a person saves, the command is over. */
function savedDuring(stage: Stage, command: string): void {
  const one = block(stage);
  const h = typed(stage).map((line) => ({ ...line, unseen: true as const }));
  const call = { tool_name: 'Bash', tool_use_id: 'toolu_during', tool_input: { command } };
  stage.shop.tell('s2', call.tool_use_id, call.tool_name, call.tool_input);
  stage.shop.hook('before', 's2', { hook_event_name: 'PreToolUse', ...call });
  stage.put('f.ts', 'me', one.with(one.a, h));
  const tool_response = { stdout: '', stderr: '', interrupted: false };
  stage.shop.hook('after', 's2', { hook_event_name: 'PostToolUse', ...call, tool_response });
  stage.commit('both');
  stage.is({ 'f.ts': one.with(one.a, h) });
}
