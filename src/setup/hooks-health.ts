import type { Health } from './health.ts';
import { configCommand, HOOKS, type HookName, hasBlock } from './hook-file.ts';
import { configHookName, isChained } from './plan.ts';
import { planLinks, wantsChain } from './plan-chain.ts';
import { CONFIG_HOOKS_SINCE } from './survey.ts';
import type { FoundHook, FoundHooks } from './survey-hooks.ts';
import { type Check, fail, INIT, ok, warn } from './verdict.ts';

export function checkHooks(health: Health): Check[] {
  return [...HOOKS.map((name) => checkHook(name, health)), ...checkChain(health)];
}

function checkHook(name: HookName, health: Health): Check {
  if (health.configHooks) return checkConfigHook(name, health);
  if (health.hooks.chain.value !== undefined) return checkLink(name, health.hooks);
  const hook = health.hooks.files.find((file) => file.name === name);
  return hook === undefined ? fail(name, 'no hook file', INIT) : checkHookFile(hook, health.hooks);
}

function checkConfigHook(name: HookName, { local, global }: Health): Check {
  const key = `hook.${configHookName(name)}`;
  const last = (what: string) => (local.get(what) ?? global.get(what))?.at(-1);
  const off = [`${key}.enabled`, `hook.${name}.enabled`].find((what) => /^(false|no|off|0)$/i.test(last(what) ?? ''));
  if (off !== undefined) return fail(name, `switched off by ${off}`, `git config --unset ${off}`);
  const events = [...(local.get(`${key}.event`) ?? []), ...(global.get(`${key}.event`) ?? [])];
  if (last(`${key}.command`) === undefined || !events.includes(name))
    return fail(name, `${key} is not in git's configuration`, INIT);
  if (last(`${key}.command`) !== configCommand(name))
    return warn(name, `${key}.command is not what this version writes`, INIT);
  return ok(name, `${key} in git's configuration`);
}

function checkHookFile(hook: FoundHook, { home, manager, folder, chain }: FoundHooks): Check {
  const { name, path, file, displaced } = hook;
  if (isChained(hook)) return ok(name, `${path}.legacy, called by pre-commit`);
  if (file.kind !== 'none' && hasBlock(file.text)) {
    return (file.mode & 0o100) === 0 ? fail(name, `${path} is not executable`, `chmod +x ${path}`) : ok(name, path);
  }
  if ((home === 'shared' || home === 'tracked') && chain.obstacle !== undefined) {
    const instead = home === 'tracked' ? ', or git agent init --project, which writes it for the team' : '';
    const said = `git takes hooks from ${folder}, where ours is not: ${chain.obstacle}; commits are found when somebody reads`;
    return warn(name, said, `git ${CONFIG_HOOKS_SINCE} needs no file${instead}`);
  }
  const aside = displaced.some((other) => other.kind !== 'none' && hasBlock(other.text));
  const who = manager
    ? `${manager} wrote ${path} anew`
    : file.kind === 'none'
      ? `${path} is not there`
      : `${path} does not run ours`;
  return fail(name, aside ? `${who} and moved ours aside` : who, INIT);
}

/** In our folder of links. */
function checkLink(name: HookName, { chain, folder }: FoundHooks): Check {
  const file = `${chain.folder}/${name}`;
  const link = chain.links.get(name);
  if (link === undefined || link.kind === 'none') return fail(name, `${file} is not there`, INIT);
  if (!hasBlock(link.text)) return fail(name, `${file} does not run ours`, `move it to ${folder}, then ${INIT}`);
  return (link.mode & 0o100) === 0 ? fail(name, `${file} is not executable`, INIT) : ok(name, file);
}

/** Whether git reaches our links, and they the hooks that git would run without us. */
function checkChain({ configHooks, hooks }: Health): Check[] {
  const { chain, folder, files } = hooks;
  if (chain.value !== undefined)
    return [configHooks ? unneeded('git reads ours from its configuration') : checkLinks(hooks)];
  const reached = configHooks || files.every((hook) => checkHookFile(hook, hooks).level !== 'fail');
  if (chain.record === null || reached) return [];
  return [fail(CHAIN, `set anew since init: git takes hooks from ${folder}, and ours are not reached`, INIT)];
}

const CHAIN = 'core.hooksPath';

function unneeded(why: string): Check {
  return warn(CHAIN, `our folder is not needed any more: ${why}`, INIT);
}

function checkLinks(hooks: FoundHooks): Check {
  const { chain, folder, home } = hooks;
  const { behind, record, obstacle } = chain;
  if (chain.value !== chain.folder)
    return fail(CHAIN, `it names ${chain.value}, and this repository is elsewhere: hooks may not run at all`, INIT);
  if (obstacle !== undefined) return fail(CHAIN, `it is ours, but ${obstacle}`, INIT);
  if (!wantsChain(hooks, false) && (home === 'shared' || home === 'tracked'))
    return unneeded(`the hooks in ${folder} have our lines too`);
  if (behind === undefined || behind !== record?.behind || !wantsChain(hooks, false))
    return fail(CHAIN, `without ours it would be ${folder} now; our links lead to ${record?.behind}`, INIT);
  const { changes, refusals } = planLinks(hooks, behind);
  if (refusals.length > 0) return fail(CHAIN, `written over in ${chain.folder}`, refusals.join(' '));
  if (changes.length > 0)
    return fail(CHAIN, `${changes.length} links in ${chain.folder} are not as they should be`, INIT);
  return ok(CHAIN, `${chain.folder}, which leads on to ${folder}`);
}
