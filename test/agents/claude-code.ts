import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { type Installed, install, type Mode, Stage, whyNot } from './rehearsal.ts';
import { SCENARIOS } from './scenarios.ts';

const all = process.env.AGENTS === 'all' || process.env.AGENTS === 'claude-code';
/** Without hooks CI plays the richest one. */
const FEW = 1;

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
    for (const [i, [name, play]] of SCENARIOS.entries()) {
      test.runIf(all || mode === 'hooks' || i < FEW)(`${name} (AGENTS=claude-code runs it)`, async () => {
        stage = new Stage(mode, installed);
        await play(stage);
      });
    }
  });
}
