/** Texts that stand where a prompt would, and that no person typed. */
const NOT_TYPED = [
  '<command-name>',
  '<command-message>',
  '<local-command-stdout>',
  '<local-command-stderr>',
  '<local-command-caveat>',
  '<bash-input>',
  '<bash-stdout>',
  '<bash-stderr>',
  '<system-reminder>',
  '<task-notification>',
  '<user-prompt-submit-hook>',
  'Caveat:',
  '[Request interrupted by user',
];

export function isPrompt(text: string): boolean {
  const start = text.trimStart();
  return start !== '' && start.trimEnd() !== 'Warmup' && !NOT_TYPED.some((mark) => start.startsWith(mark));
}
