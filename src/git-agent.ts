// Joining follows every commit: it is a program of its own, which loads nothing of what the other verbs need.
const JOINING: readonly (string | undefined)[] = ['join', 'work'];

await (JOINING.includes(process.argv[2]) ? import('./git-agent-work.ts') : import('./git-agent-verbs.ts'));
