import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CommandFor, FilesBefore, HookFile } from '../../../src/capture/adapter.ts';
import { codex } from '../../../src/capture/codex/index.ts';
import { hookHash } from '../../../src/capture/codex/trust.ts';

const [hooks, trust] = codex.hookFiles as readonly [HookFile, HookFile];
const command: CommandFor = (mode) => `exec sh "$HOME/.local/share/git-agent-blame/agent-hook" codex ${mode}`;
const isOurs = (said: string) => said.includes('/git-agent-blame/agent-hook');

/** What `init` does with both files. */
function install(config: string | undefined, had?: string, named?: string) {
  const settings = hooks.add(had, command, new Map());
  if ('refused' in settings) throw new Error(settings.refused);
  const path = '/home/me/.codex/hooks.json';
  const before: FilesBefore = new Map([['hooks', { path, text: settings.text, ...(named && { named }) }]]);
  return { settings: settings.text, before, ...trust.add(config, command, before) };
}

function textOf(result: { readonly text: string } | { readonly refused: string }): string {
  if ('refused' in result) throw new Error(result.refused);
  return result.text;
}

describe('the hash of a hook, as Codex takes it', () => {
  const handler = { type: 'command', command: 'git-agent-blame hook codex' };
  test.each<[string, string, string | undefined, object, string]>([
    [
      'no matcher, no time',
      'post_tool_use',
      undefined,
      {},
      'a98e48a3eebb3e9652ee3589acc2fc248eb033833493ce49a6a428d790e244ba',
    ],
    [
      'both',
      'post_tool_use',
      'apply_patch|Bash',
      { timeout: 30 },
      'd5c3d30f61228a49a4864539a93fba81c43ae3ef82438868876896306cb34873',
    ],
    ['the end', 'session_end', undefined, {}, 'd404e3653799a2e36fa05aaa5d50a192a59aba8257c6cfc2f3818d9f4cd04ef7'],
    ['stop', 'stop', undefined, { timeout: 10 }, '91680da2391afa4cb46820c420e9da940cf54fe304ad41ae0185511305c257cf'],
    [
      'stop, matcher left out',
      'stop',
      'x',
      { timeout: 10 },
      '91680da2391afa4cb46820c420e9da940cf54fe304ad41ae0185511305c257cf',
    ],
    [
      'start',
      'session_start',
      'startup|resume',
      { timeout: 10 },
      'a27310637fde35dc9622e7e13437b2d2dadc0f8cacf7f7218043facb401482b6',
    ],
    [
      'prompt',
      'user_prompt_submit',
      undefined,
      { timeout: 10 },
      '99090737208fe936fab90aa056d6d6b6a9f0683a72832b6dc68ba8811bee38a0',
    ],
    [
      'with a message',
      'pre_tool_use',
      'Edit|Write',
      { timeout: 20, statusMessage: 'recording' },
      'edcc067cdee1c51691ab4f5e782ef2f726bdbd42c77915ee300d673c885d9e2e',
    ],
  ])('%s', (_, event, matcher, more, hash) => {
    expect(hookHash(event, { matcher, handler: { ...handler, ...more } })).toBe(`sha256:${hash}`);
  });

  test('the end of a session waits three seconds at most; an empty matcher counts', () => {
    const hash = (timeout: number) => hookHash('session_end', { matcher: undefined, handler: { ...handler, timeout } });
    expect(hash(10)).toBe(hash(3));
    expect(hash(2)).not.toBe(hash(3));
    const of = (matcher: string | undefined) => hookHash('post_tool_use', { matcher, handler });
    expect(of('')).not.toBe(of(undefined));
  });
});

describe('hooks in hooks.json', () => {
  test('each once, each where Codex looks for it', () => {
    const { settings } = install(undefined);
    const groups: [string, { matcher?: string; hooks: { command: string; timeout: number }[] }[]][] = Object.entries(
      JSON.parse(settings).hooks,
    );
    const words = groups.flatMap(([event, list]) =>
      list.map(
        ({ matcher, hooks: [one] }) => `${event} ${matcher ?? '*'} ${one?.command.split(' ').at(-1)} ${one?.timeout}`,
      ),
    );
    expect(words).toEqual([
      'UserPromptSubmit * event 10',
      'PreToolUse Bash|mcp__.* before 15',
      'PostToolUse Bash|mcp__.* after 15',
      'PostToolUse apply_patch event 10',
      'Stop * end 10',
      'SubagentStop * event 10',
      'SessionEnd * end 3',
    ]);
  });

  test('go as they came', () => {
    const had = '{"description":"mine","hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}\n';
    expect(hooks.remove(install(undefined, had).settings, isOurs)).toEqual({ text: had });
    expect(hooks.remove(install(undefined).settings, isOurs)).toEqual({ text: undefined });
  });
});

describe('approvals in config.toml', () => {
  test('one for each hook, where it stands in its file', () => {
    const had =
      '{"hooks":{"PostToolUse":[{"hooks":[{"type":"command","command":"x"},{"type":"command","command":"y"}]}]}}';
    const keys = [...textOf(install(undefined, had)).matchAll(/^\[hooks\.state\."(.*)"\]$/gm)].map(([, key]) => key);
    expect(keys.map((key) => key?.replace('/home/me/.codex/hooks.json:', ''))).toEqual([
      'post_tool_use:1:0',
      'post_tool_use:2:0',
      'user_prompt_submit:0:0',
      'pre_tool_use:0:0',
      'stop:0:0',
      'subagent_stop:0:0',
      'session_end:0:0',
    ]);
  });

  test('under both names where a link leads to the file', () => {
    const text = textOf(install(undefined, undefined, '/home/me/link/hooks.json'));
    expect(text.split('[hooks.state."/home/me/link/hooks.json:')).toHaveLength(8);
    expect(text.split('[hooks.state."/home/me/.codex/hooks.json:')).toHaveLength(8);
  });

  test.each([
    ['no file', undefined],
    ['an empty file', ''],
    ['a line end', '\n'],
    ['settings', 'model = "gpt-5.5"\n\n[features]\nhooks = true\n'],
    ['no line end at the end', 'model = "x"\n[projects."/repo"]\ntrust_level = "trusted"'],
    ['CR LF', 'model = "x"\r\n[a]\r\nb = 1\r\n'],
    ['approvals of the user’s', '[hooks.state."/x/hooks.json:stop:0:0"]\nenabled = true\ntrusted_hash = "sha256:1"\n'],
    ['hooks of the user’s', '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "x"\n'],
  ])('come twice as once, and go as they came: %s', (_, config) => {
    const once = install(config);
    const text = textOf(once);
    expect(text.startsWith(config ?? '')).toBe(true);
    expect(textOf(trust.add(text, command, once.before))).toBe(text);
    expect(trust.remove(text, (said) => isOurs(said) && !said.includes('codex'))).toEqual({ text });
    expect(trust.remove(text, isOurs)).toEqual({ text: config });
  });

  test('go as they came, whatever stands there', () => {
    const line = fc.constantFrom(
      '',
      '# note',
      'a = 1',
      '[b]',
      'c = "[hooks.state]"',
      '\r',
      '# approved by git agent',
      '\t',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        const config = lines.join('\n');
        expect(trust.remove(textOf(install(config)), isOurs)).toEqual({ text: config });
      }),
    );
  });

  test('what Codex and others write around them stays, on lines of its own', () => {
    const text = textOf(install('a = 1'));
    const [, first = ''] = text.split('\n\n');
    for (const after of ['[projects."/repo"]\ntrust_level = "trusted"\n', '\n[x]\ny = 1\n']) {
      const rest = trust.remove(text + after, isOurs);
      expect(rest).toEqual({ text: `a = 1\n${after.replace(/^\n/, '')}` });
    }
    const own = textOf(install(undefined));
    expect(trust.remove(`model = "x"\n${own}[projects."/repo"]\n`, isOurs)).toEqual({
      text: 'model = "x"\n[projects."/repo"]\n',
    });
    const enabled = text.replace(first, first.replace('trusted_hash', 'enabled = true\ntrusted_hash'));
    expect(enabled).not.toBe(text);
    expect(trust.remove(enabled, isOurs)).toEqual({ text: 'a = 1' });
  });

  test('follow their hooks to another place, and leave the rest alone', () => {
    const text = textOf(install('a = 1\n'));
    const moved = install(text, '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}');
    expect(textOf(moved)).not.toContain(':stop:0:0"');
    expect(textOf(moved)).toContain(':stop:1:0"');
    expect(trust.remove(textOf(moved), isOurs)).toEqual({ text: 'a = 1\n' });
    const own = textOf(install(undefined)).replaceAll('sha256:', 'sha256:0');
    expect(trust.remove(textOf(install(own)), isOurs)).toEqual({ text: undefined });
  });

  test('those that the user gave in Codex are enough', () => {
    const given = textOf(install(undefined)).replace(/^# approved.*\n/gm, '');
    expect(install(given)).toMatchObject({ text: given });
    const one = given.split('\n\n')[0] ?? '';
    expect(textOf(install(`${one}\n`)).split('\n[hooks.state.')).toHaveLength(7);
  });

  test.each([
    ['hooks in a table of one line', 'hooks = { state = {} }\n'],
    ['dotted keys', 'hooks.state.x.enabled = true\n'],
    ['states in one line', '[hooks]\nstate = {}\n'],
    [
      'another approval in its place',
      '[hooks.state."/home/me/.codex/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:1"\n',
    ],
    ['another approval, quoted otherwise', "[hooks.state.'/home/me/.codex/hooks.json:stop:0:0']\nenabled = false\n"],
  ])('are not added where that would break the file: %s', (_, config) => {
    expect(install(config)).toHaveProperty('refused');
  });

  test('are never given without a yes', () => {
    expect(hooks.asks).toBeUndefined();
    expect(trust.asks).toContain('--trust-hooks');
    expect(trust.project).toBeUndefined();
    expect(trust.add('', command, new Map())).toHaveProperty('refused');
  });
});
