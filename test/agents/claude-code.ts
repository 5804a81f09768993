import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { type Installed, install, type Mode, Stage, whyNot } from './rehearsal.ts';
import { SCENARIOS } from './scenarios.ts';

/** Plays every scenario with the real agent, one after the other, and checks every line of every file. */
export function rehearseClaudeCode(mode: Mode): void {
  const reason = whyNot();
  const title = `the real Claude Code, by ${mode}${reason ? ` (left out: ${reason})` : ''}`;
  describe.skipIf(reason)(title, () => {
    let installed: Installed;
    let stage: Stage;
    beforeAll(async () => {
      installed = await install();
    });
    afterAll(() => installed.remove());
    afterEach(() => stage.remove());
    test.each(SCENARIOS)('%s', async (_, play) => {
      stage = new Stage(mode, installed);
      await play(stage);
    });
  });
}
