import { BLAME_OPTIONS, type BlameOption } from './options.ts';

export const BLAME_USAGE = 'git agent-blame [<options>] [<rev>] [--] <file>...';
const COLUMN = 34;

export function printBlameHelp(): string {
  return `usage: ${BLAME_USAGE}

Says of every line who wrote it: an agent and its model (A), a person (H), both (M), or nobody knows (?).

${BLAME_OPTIONS.map(printOption).join('\n')}
`;
}

function printOption(option: BlameOption): string {
  const names = `    ${option.names.map((name) => name + printValue(option, name)).join(', ')}`;
  // a name too long for its column gets a line of its own
  return names.length < COLUMN
    ? `${names.padEnd(COLUMN)}${option.help}`
    : `${names}\n${' '.repeat(COLUMN)}${option.help}`;
}

function printValue({ value, shows = '' }: BlameOption, name: string): string {
  if (!value) return '';
  const long = name.startsWith('--');
  if (value === 'optional') return long ? `[=${shows}]` : `[${shows}]`;
  return long ? `=${shows}` : ` ${shows}`;
}
