import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { command as init } from '../../src/commands/init.ts';
import { nextStep, type Outcome } from '../../src/setup/next.ts';
import { gits, type Machine, makeMachine } from './support.ts';

describe('what to do next', () => {
  const fresh: Outcome = { agents: ['claude-code'], named: false, changed: true, dry: false, older: false };

  it.each<[string, Partial<Outcome>, RegExp]>([
    ['set up', {}, /^Next: work and commit as always, then git agent-blame FILE\. git agent doctor/],
    ['set up where there are commits already', { older: true }, /FILE\. git agent backfill --dry-run .*before\. git/],
    ['nothing to change', { changed: false }, /^Next: git agent status /],
    ['only asked', { dry: true }, /^Next: the same without --dry-run/],
    ['only asked, and nothing to change', { dry: true, changed: false }, /^Next: git agent status /],
    ['no agent on this machine', { agents: [] }, /^Next: git agent init --agents NAME/],
    ['no agent, still none', { agents: [], changed: false }, /^Next: git agent init --agents NAME/],
    ['none by the user’s own word', { agents: [], named: true }, /^Next: work and commit/],
  ])('%s', (_, more, line) => {
    const said = nextStep({ ...fresh, ...more });
    expect(said).toMatch(line);
    expect(said).not.toContain('\n');
  });
});

describe('init', () => {
  const [git] = gits();
  if (!git) throw new Error('the tests need git');
  let machine: Machine;
  beforeEach(() => {
    machine = makeMachine(git);
  });
  afterEach(() => machine.remove());
  const last = async (options: Record<string, unknown>) =>
    (await machine.run(init, options)).out.trimEnd().split('\n').at(-1);

  it('ends with the next step, whatever it found', async () => {
    machine.commit();
    expect(await last({ dryRun: true, agents: 'claude-code' })).toMatch(/without --dry-run/);
    expect(await last({})).toMatch(/--agents NAME/);
    expect(await last({ agents: 'claude-code' })).toMatch(/work and commit/);
    expect(await last({ agents: 'claude-code' })).toMatch(/git agent status/);
  });

  it('names the way to older commits once, as capture begins', async () => {
    machine.commit();
    expect(await last({ agents: 'claude-code' })).toContain('backfill');
    expect(await last({ agents: 'claude-code,codex' })).not.toContain('backfill');
  });
});
