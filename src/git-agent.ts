/**
 * What is waited for, or follows every commit, is in programs of its own, which load nothing of what the other verbs need. Which of them is
 * meant the first word tells.
 */
switch (process.argv[2]) {
  case 'join':
  case 'work':
    void import('./git-agent-work.ts');
    break;
  case 'check':
  case 'report':
    void import('./git-agent-gate.ts');
    break;
  default:
    void import('./git-agent-verbs.ts');
}
