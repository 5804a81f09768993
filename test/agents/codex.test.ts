import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { rehearse } from './cast.ts';
import { type Installed, install, type Mode, ownScript, Stage, whyNot } from './rehearsal.ts';

// a provider of the rehearsal's own answers for it: which model that is, nobody can tell for certain
const CODEX = { rehearsed: 'codex', name: 'codex', model: null, hooks: true, init: '--trust-hooks' };

// edits by the tool apply_patch
rehearse({ ...CODEX, scriptModel: 'gpt-5.5' });

const all = process.env.AGENTS === 'all' || process.env.AGENTS === 'codex';

// a model that Codex gives no such tool: patches go through the shell, as heredocs
if (all) rehearse(CODEX);

const left = all ? whyNot('codex') : 'AGENTS=codex runs it';
const title = `the real codex, in code${left ? ` (left out: ${left})` : ''}`;

describe.skipIf(left)(title, () => {
  let installed: Installed;
  let stage: Stage;
  beforeAll(async () => {
    installed = await install();
  });
  afterAll(() => installed.remove());
  afterEach(() => stage.remove());

  test.each<Mode>(['hooks', 'transcripts'])(
    'by %s: scripts that call tools, several files in one patch, files moved, a sub-agent that commits',
    async (mode) => {
      stage = new Stage(mode, installed, CODEX);
      stage.init().human('had.txt', 'one\ntwo\nthree\n').human('gone.txt', 'soon gone\n');
      stage.human('old.txt', 'old one\nold two\nold three\n').commit('start');
      await playCode(stage, 'codex-code');
      stage.human('mine.txt', 'typed\n').commit('all of it');
      // without hooks nothing tells a shell's lines from a person's
      const shell = mode === 'hooks' ? 'ai' : 'unknown';
      const typed = mode === 'hooks' ? 'human' : 'unknown';
      for (const moment of ['pending', 'worked']) {
        const told = tell(stage);
        expect(told.types, moment).toEqual({
          'had.txt': `${typed} ai ai ${typed}`,
          'helped.txt': shell,
          'helper.txt': 'ai',
          'kept/moved.txt': 'ai ai',
          'kept/old.txt': `${typed} ai ${typed}`,
          'mine.txt': typed,
          'shell.txt': shell,
        });
        const { 'helper.txt': helper, 'kept/moved.txt': main } = told.sessions;
        expect([helper?.length, main?.length, helper?.[0] === main?.[0]]).toEqual([1, 1, false]);
        stage.git(['agent', 'work']);
      }
    },
    240_000,
  );
});

/** Codex plays a script of our own model's. */
async function playCode(stage: Stage, name: string): Promise<void> {
  const server = [process.execPath, path.join(import.meta.dirname, 'codex-model.mjs'), ownScript(name), '8765'];
  const setup = `'${server.join("' '")}' >/dev/null 2>&1 & sleep 0.5`;
  const args = ['-c', 'model_providers.rehearsal.base_url="http://127.0.0.1:8765/v1"'];
  await stage.play(ownScript(name), { setup, args });
}

function tell(stage: Stage) {
  const files = stage.git(['ls-files', '-z']).split('\0').filter(Boolean);
  const blamed = stage.blame(files).map(({ lines }, i) => ({ file: files[i] ?? '', lines }));
  return {
    types: Object.fromEntries(blamed.map(({ file, lines }) => [file, lines.map(({ type }) => type).join(' ')])),
    sessions: Object.fromEntries(
      blamed.map(({ file, lines }) => [file, [...new Set(lines.flatMap(({ session }) => session ?? []))]]),
    ),
  };
}
