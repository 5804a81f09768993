/** A shell command as words. */
/** So much of a command is kept, and looked at. */
export const LONGEST = 4000;

/** The command without what stands in quotes or in a text given to it: words there are nobody's to obey. What follows `-c` is a command itself. */
export function bareWords(command: string): string {
  return command
    .slice(0, LONGEST)
    .replace(/(<<-?\s*(['"]?)(\w+)\2[^\n]*\n)[\s\S]*?(?:\n\s*\3\s*(?=\n|$)|$)/g, '$1')
    .replace(
      /(\s-\w*c\s+)?(?:'([^']*)'|"((?:[^"\\]|\\.)*)")/g,
      (_, before?: string, single?: string, double?: string) =>
        before === undefined ? quoted(single ?? double ?? '') : `${before}${single ?? double ?? ''}`,
    );
}

/** What is in quotes is one word, with its blanks; what the shell might obey is taken out. */
function quoted(text: string): string {
  return /[\n;&|<>()`$]/.test(text) ? 'Q' : text.replace(/\s/g, BLANK) || 'Q';
}

/** Stands for a blank within a word. */
export const BLANK = '\u0001';

/** The simple commands of a line of shell, as words; assignments and wrappers in front are taken off. Rough on purpose. */
export function partsOf(command: string): string[][] {
  return pipelinesOf(command).flat();
}

/** The same, in one list for each pipeline. */
export function pipelinesOf(command: string): string[][][] {
  return bareWords(command)
    .replace(/\d?[<>]&\d/g, ' ') // `2>&1` ends no command
    .replace(/([^|])\|&/g, '$1|')
    .split(/&&|\|\||[;&\n]/)
    .map((line) =>
      line
        .split('|')
        .map(wordsOf)
        .filter((words) => words.length > 0),
    )
    .filter((parts) => parts.length > 0);
}

function wordsOf(part: string): string[] {
  // `echo a>b`: where it goes is a word of its own
  const words = part
    .replace(/(?<=[^\s>\d])(\d?>>?|&>>?)/g, ' $1')
    .trim()
    .split(/\s+/)
    .filter(Boolean);
  while (
    words[0] &&
    (/^\w+=/.test(words[0]) || /^(sudo|time|nice|env|command|npx|bunx|\(|\{|then|do|else|if|while|!)$/.test(words[0]))
  )
    words.shift();
  return words.map((word) => word.replace(/^["'(]+|["')]+$/g, ''));
}
