import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Command as Program } from 'commander';
import { describe, expect, it } from 'vitest';
import { BLAME_OPTIONS } from '../../src/blame/options.ts';
import { VERBS } from '../../src/commands/index.ts';
import { SETTINGS } from '../../src/setup/settings.ts';

const MAN = path.join(import.meta.dirname, '..', '..', 'man');
const page = (name: string) => fs.readFileSync(path.join(MAN, name), 'utf8');
/** The page's words as a person types them. */
const words = (name: string) =>
  page(name)
    .replaceAll('\\-', '-')
    .replaceAll(/\\f[RBI]/g, '');

describe('man pages', () => {
  it.each(['git-agent.1', 'git-agent-blame.1'])('%s is free of mistakes', (name) => {
    expect(page(name)).toMatch(/^\.TH GIT-AGENT/);
    const { error, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-z', path.join(MAN, name)], {
      encoding: 'utf8',
    });
    if (!error) expect(stderr).toBe('');
    // a line that begins with a dot is a macro: no other ones than these are used
    const macros = [...page(name).matchAll(/^\.([A-Za-z]+)/gm)].map(([, macro]) => macro);
    expect(macros.filter((macro) => !/^(TH|SH|SS|TP|TQ|PP|RS|RE|nf|fi|[BIR]{1,2})$/.test(macro ?? ''))).toEqual([]);
  });

  it('git-agent-blame(1) names every option', () => {
    for (const { names } of BLAME_OPTIONS) for (const name of names) expect(words('git-agent-blame.1')).toContain(name);
  });

  it('git-agent(1) names every verb and its options', async () => {
    for (const verb of VERBS) {
      const command = await verb.load();
      if (command.hidden) continue;
      expect(words('git-agent.1')).toMatch(new RegExp(`^git agent ${verb.name}\\b`, 'm'));
      const sub = new Program(verb.name);
      command.configure(sub);
      for (const { short, long } of sub.options) expect([verb.name, words('git-agent.1')][1]).toContain(short ?? long);
    }
  });

  it('git-agent(1) names the settings, and no others', () => {
    const named = [...words('git-agent.1').matchAll(/^\.B (agent\.\w+)$/gm)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set(SETTINGS.map(({ name }) => name)));
  });
});
