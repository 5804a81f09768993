import { expect } from 'vitest';
import { type BlameJson, letters, type Workshop } from '../support/workshop.ts';

/**
 * The letters of files, answered from memory first, then from what the work has written: both must be the same. `REVISION:path` asks for
 * another revision than what stands in the work tree.
 */
export async function told(shop: Workshop, ...files: string[]): Promise<string[]> {
  const before = await lettersOf(shop, files);
  await shop.work();
  expect(await lettersOf(shop, files)).toEqual(before);
  return before;
}

/** What is asked of one revision is asked at once. */
async function lettersOf(shop: Workshop, files: readonly string[]): Promise<string[]> {
  const asked = files.map((file) => {
    const [first = '', path] = file.split(':');
    return path === undefined ? { path: first, revisions: [] } : { path, revisions: [first] };
  });
  const answers = new Map<string, string>();
  for (const revision of new Set(asked.map(({ revisions }) => revisions.join()))) {
    const these = asked.filter(({ revisions }) => revisions.join() === revision);
    const told = await shop.jsonOf(
      these.map(({ path }) => path),
      ...(these[0]?.revisions ?? []),
    );
    for (const [i, { path }] of these.entries()) answers.set(`${revision}:${path}`, letters(told[i] as BlameJson));
  }
  return asked.map(({ path, revisions }) => answers.get(`${revisions.join()}:${path}`) ?? '');
}

/** On a branch `topic`: the agent's file, a person's file, the agent's second file. */
export function topic(shop: Workshop): void {
  shop.git('checkout', '-q', '-b', 'topic');
  shop.ai('a.ts', 'agent alpha\nagent beta\n');
  shop.commit('a');
  shop.human('h.ts', 'person gamma\n');
  shop.commit('h');
  shop.ai('b.ts', 'agent delta\n', 's2');
  shop.commit('b');
}

/** A person commits on another branch; then back to where we were. */
export function meanwhile(shop: Workshop, file: string, text: string, branch = 'main'): void {
  const back = shop.git('rev-parse', '--abbrev-ref', 'HEAD');
  shop.git('checkout', '-q', branch);
  shop.human(file, text);
  shop.commit('meanwhile');
  shop.git('checkout', '-q', back);
}
