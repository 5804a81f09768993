/** One step of the story: a prompt and what the agent did, a person's own change, or a commit. */
export type Turn =
  | { readonly prompt: string; readonly says: string; readonly id: string; readonly does: Doing }
  | { readonly person: string; readonly old: string; readonly new: string }
  | { readonly commit: string };

export type Doing =
  | { readonly tool: 'Write'; readonly content: string }
  | { readonly tool: 'Edit'; readonly old: string; readonly new: string }
  | { readonly tool: 'Bash'; readonly command: string };

export const FILE = 'src/retry.mjs';

/** In Claude Code's shape, by hand after recordings of it; paths and times are filled in when it is played. */
export const SESSION = {
  id: '7c0de5e5-0000-4000-8000-00000000d340',
  version: '2.1.197',
  model: 'claude-opus-4-5-20251101',
} as const;

const WRITTEN = `const wait = (ms) => new Promise((done) => setTimeout(done, ms));

export async function retry(task) {
  for (let pause = 100; ; pause *= 2) {
    try {
      return await task();
    } catch (error) {
      if (pause > 1000) throw error;
      await wait(pause);
    }
  }
}
`;

export const TURNS: readonly Turn[] = [
  {
    prompt: 'Write a retry helper with exponential back-off.',
    says: 'I will add a helper that doubles its waiting time after every failure.',
    id: 'toolu_demo_01',
    does: { tool: 'Write', content: WRITTEN },
  },
  {
    person: 'a person limits the attempts by hand',
    old: 'export async function retry(task) {\n',
    new: 'export async function retry(task, { attempts = 5 } = {}) {\n  let left = attempts; // ops asked for a hard limit\n',
  },
  {
    prompt: 'Respect the limit that I added.',
    says: 'The loop now counts the attempts down instead of looking at the pause.',
    id: 'toolu_demo_02',
    does: {
      tool: 'Edit',
      old: '      if (pause > 1000) throw error;\n',
      new: '      if (--left <= 0) throw error;\n',
    },
  },
  { commit: 'retry: a helper with back-off' },
  {
    prompt: 'Add a variant that gives up quietly, with a script if you like.',
    says: 'I append it from the shell.',
    id: 'toolu_demo_03',
    does: {
      tool: 'Bash',
      command: String.raw`printf '\nexport const retryOrNull = (task) =>\n  retry(task).catch(() => null);\n' >> ${FILE}`,
    },
  },
  { commit: 'retry: a quiet variant' },
];
