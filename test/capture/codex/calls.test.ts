import { describe, expect, test } from 'vitest';
import { commandWords, editWords } from '../recorded.ts';
import { call, custom, DONE, decode, event, HEAD, item, meta, ms, output, PATCH, record } from './rollout.ts';

describe('edits of all eras', () => {
  const told = { output: DONE, metadata: { exit_code: 0, duration_seconds: 0 } };
  test.each<[string, object, unknown, string]>([
    ['shell with the program', call('shell', { command: ['apply_patch', PATCH] }), JSON.stringify(told), '/repo/a.ts'],
    [
      'shell with a heredoc',
      call('shell', { command: ['bash', '-lc', `apply_patch <<'EOF'\n${PATCH}\nEOF`] }),
      JSON.stringify(told),
      '/repo/a.ts',
    ],
    [
      'shell in another folder',
      call('shell_command', { command: `cd x && apply_patch <<'EOF'\n${PATCH}\nEOF`, workdir: 'sub' }),
      `Exit code: 0\nWall time: 0 seconds\nOutput:\n${DONE}`,
      '/repo/sub/x/a.ts',
    ],
    ['function, input', call('apply_patch', { input: PATCH }), DONE, '/repo/a.ts'],
    ['function, patch', call('functions.apply_patch', { patch: PATCH }), DONE, '/repo/a.ts'],
    ['tool', custom('apply_patch', PATCH), `Exit code: 0\nWall time: 0 seconds\nOutput:\n${DONE}`, '/repo/a.ts'],
    ['tool, answered in parts', custom('apply_patch', PATCH), [{ type: 'input_text', text: DONE }], '/repo/a.ts'],
    [
      'exec_command, answered twice over',
      call('exec_command', { cmd: `apply_patch <<'EOF'\n${PATCH}\nEOF` }),
      `Wall time: 0.0 seconds\nOutput:\nExit code: 0\nWall time: 0 seconds\nOutput:\n${DONE}`,
      '/repo/a.ts',
    ],
  ])('%s', (_, asked, answer, path) => {
    const captured = decode([...HEAD, item(1, asked), item(2, output(answer))]);
    expect(captured.edits).toMatchObject([
      {
        event: 'c',
        at: ms(2),
        path,
        change: { kind: 'replace', pairs: [{ old: 'one\n', new: 'two\n', all: false }] },
        model: 'openai/gpt-5.2-codex',
      },
    ]);
    expect(captured.commands).toEqual([]);
  });

  test.each<[string, object, string | undefined]>([
    ['no answer yet', custom('apply_patch', PATCH), undefined],
    ['it did not fit', custom('apply_patch', PATCH), 'apply_patch verification failed: no such lines'],
    [
      'it did not fit, by the shell',
      call('shell', { command: ['bash', '-c', `apply_patch <<'E'\n${PATCH}\nE`] }),
      'apply_patch verification failed',
    ],
    ['somebody said no', custom('apply_patch', PATCH), 'patch rejected by user'],
    ['a failure in JSON', custom('apply_patch', PATCH), JSON.stringify({ ...told, metadata: { exit_code: 1 } })],
    ['words of success inside', custom('apply_patch', PATCH), `Exit code: 1\nOutput:\n${DONE}`],
  ])('none: %s', (_, asked, answer) => {
    const answers = answer === undefined ? [] : [item(2, output(answer))];
    const captured = decode([...HEAD, item(1, asked), ...answers]);
    expect([captured.edits, captured.commands]).toEqual([[], []]);
  });

  test('one that was applied and cannot be read: something was changed', () => {
    const captured = decode([...HEAD, item(1, custom('apply_patch', 'odd')), item(2, output(DONE))]);
    expect([captured.edits, captured.commands.map(({ command }) => command)]).toEqual([[], ['']]);
  });

  const changes = {
    '/repo/a.ts': { type: 'update', unified_diff: '@@ -1 +1 @@\n-one\n+two\n', move_path: null },
    '/repo/b.ts': { type: 'delete', content: 'gone\n' },
    '/repo/c.ts': { type: 'update', unified_diff: 'odd' },
    '/repo/d.ts': { type: 'update', unified_diff: '@@ -1 +1 @@\n-one\n+two\n', move_path: '/repo/e.ts' },
    'file:///repo/f%20g.ts': { type: 'add', content: 'new\n' },
    '/repo/h.ts': 'odd',
  };
  const words = ['hunks a.ts', 'full b.ts', 'replace c.ts', 'hunks e.ts', 'write f g.ts'];

  test('told by an event, by an item, and by the call: one edit each, at the time of the event', () => {
    const end = { type: 'patch_apply_end', call_id: 'c', success: true, changes };
    const change = { type: 'FileChange', id: 'c', status: 'completed', changes };
    const completed = { type: 'item_completed', item: change, started_at_ms: ms(2), completed_at_ms: ms(3) };
    for (const said of [[event(3, end)], [event(4, completed)], [event(3, end), event(4, completed)]]) {
      const captured = decode([...HEAD, item(1, custom('apply_patch', PATCH)), ...said, item(5, output(DONE))]);
      expect(editWords(captured).map((word) => word.replace('/repo/', ''))).toEqual(words);
      expect(new Set(captured.edits.map(({ at, event: id }) => `${at} ${id}`))).toEqual(new Set([`${ms(3)} c`]));
    }
  });

  test.each([
    [{ success: false }],
    [{ status: 'failed' }],
    [{ status: 'declined' }],
    [{ status: 'failed', success: true }],
    [{}],
  ])('an event that does not tell of success: %j', (status) => {
    const captured = decode([...HEAD, event(1, { type: 'patch_apply_end', call_id: 'c', changes, ...status })]);
    expect(captured.edits).toEqual([]);
  });
});

describe('commands of all eras', () => {
  test.each<[string, object, unknown, object]>([
    [
      'shell, told in JSON',
      call('shell', { command: ['bash', '-lc', 'make'], workdir: '/repo/x' }),
      JSON.stringify({ output: 'x', metadata: { exit_code: 2, duration_seconds: 3 } }),
      { command: 'make', cwd: '/repo/x', exitCode: 2, startedAt: ms(16), endedAt: ms(20) },
    ],
    ['plain words', call('shell', { command: ['make', 'all'] }), 'x', { command: 'make all', startedAt: ms(1) }],
    [
      'Windows',
      call('shell', { command: ['powershell.exe', '-Command', 'dir'] }),
      'Exit code: 0\nWall time: 0.5 seconds\nOutput:\n',
      { command: 'dir', exitCode: 0, startedAt: ms(20) - 1500 },
    ],
    ['local_shell', { type: 'local_shell_call', call_id: 'c', action: { command: ['ls'] } }, '', { command: 'ls' }],
    [
      'no codes out of what it printed',
      call('exec_command', { cmd: 'make' }),
      'Chunk ID: 1\nWall time: 0.1 seconds\nOutput:\nProcess exited with code 7\n',
      { command: 'make' },
    ],
    ['refused', call('shell_command', { command: 'rm x' }), 'exec command rejected by user', { refused: true }],
    [
      'in the background',
      call('exec_command', { cmd: 'serve' }),
      'Chunk ID: 1\nWall time: 0.5 seconds\nProcess running with session ID 7\nOutput:\n',
      { command: 'serve', background: true },
    ],
  ])('%s', (_, asked, answer, command) => {
    const captured = decode([...HEAD, item(1, asked), item(20, output(answer))]);
    expect(captured.commands).toHaveLength(1);
    expect(captured.commands[0]).toMatchObject({ event: 'c', cwd: '/repo', ...command });
    if (!('exitCode' in command)) expect(captured.commands[0]).not.toHaveProperty('exitCode');
  });

  test('one that goes on ends when the model hears of its end', () => {
    const ask = { ...call('write_stdin', { session_id: 7, chars: '' }), call_id: 'd' };
    const running = 'Chunk ID: 1\nWall time: 0.5 seconds\nProcess running with session ID 7\nOutput:\n';
    const ended = 'Chunk ID: 2\nWall time: 5.0 seconds\nProcess exited with code 1\nOutput:\n';
    const captured = decode([
      ...HEAD,
      item(1, call('exec_command', { cmd: 'serve' })),
      item(2, output(running)),
      item(3, ask),
      item(9, { ...output(ended), call_id: 'd' }),
    ]);
    expect(captured.commands).toMatchObject([{ command: 'serve', endedAt: ms(9), exitCode: 1, background: false }]);
  });

  test('the user’s own, behind !, are not the agent’s; a declined one did not run', () => {
    const run = (id: string, more: object) => {
      const ran = { type: 'CommandExecution', id, command: ['bash', '-lc', 'make'], cwd: 'file:///repo', ...more };
      return event(3, { type: 'item_completed', item: ran, started_at_ms: ms(1), completed_at_ms: ms(3) });
    };
    const captured = decode([
      ...HEAD,
      run('a', { source: 'user_shell', status: 'completed', exit_code: 0 }),
      run('b', { source: 'agent', status: 'declined' }),
      run('c', { source: 'agent', status: 'failed', exit_code: -1 }),
    ]);
    expect(captured.commands).toMatchObject([
      { event: 'b', refused: true },
      { event: 'c', exitCode: -1, startedAt: ms(1), endedAt: ms(3) },
    ]);
  });

  test('a script hides its commands where nothing else tells of them', () => {
    const script = 'text(await tools.exec_command({cmd: "make"}));';
    const said = [item(1, custom('exec', script)), item(2, output('Script completed\nOutput:\n'))];
    const paginated = record(0, 'session_meta', { ...meta, history_mode: 'paginated' });
    expect(commandWords(decode([...HEAD, ...said]))).toEqual([`${script.slice(0, 20)} ?`]);
    expect(decode([paginated, ...said]).commands).toEqual([]);
  });

  test('a slow answer of the user’s is not the command’s time', () => {
    const ran = { type: 'CommandExecution', id: 'c', command: ['sh', '-c', 'make'], status: 'completed', exit_code: 0 };
    const completed = { type: 'item_completed', item: ran, started_at_ms: ms(40), completed_at_ms: ms(41) };
    const captured = decode([...HEAD, item(1, call('exec_command', { cmd: 'make' })), event(41, completed)]);
    expect(captured.commands).toMatchObject([{ startedAt: ms(39), endedAt: ms(41) }]);
  });
});
