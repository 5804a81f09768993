import { Fault } from '../../fault.ts';

export interface CddlToken {
  readonly kind: 'name' | 'text' | 'number' | 'control' | 'tag' | 'sign' | 'end';
  /** Of a text, what it stands for; of a tag, its number. */
  readonly value: string;
  readonly line: number;
}

// the alternatives begin differently, and none can be matched in two ways
const TOKEN =
  /(?<blank>[ \t\r\n]+|;[^\n]*)|(?<name>[A-Za-z_@$](?:[-.]*[A-Za-z0-9_@$])*)|"(?<text>(?:[^"\\\n]|\\.)*)"|(?<number>[0-9]+)|\.(?<control>[a-z]+)|#6\.(?<tag>[0-9]+)|(?<sign>=>|[{}[\]()=/:,?*+&])/y;

/** The grammar's tokens; the last is its end. */
export function tokensOf(text: string): CddlToken[] {
  const tokens: CddlToken[] = [];
  let line = 1;
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) throw new Fault('bug', `line ${line} of a grammar is not understood`, { line });
    const token = tokenOf(match.groups ?? {}, line);
    if (token) tokens.push(token);
    line += match[0].split('\n').length - 1;
    at += match[0].length;
  }
  return [...tokens, { kind: 'end', value: '', line }];
}

function tokenOf(groups: Readonly<Record<string, string | undefined>>, line: number): CddlToken | undefined {
  const kinds = ['name', 'text', 'number', 'control', 'tag', 'sign'] as const;
  const kind = kinds.find((one) => groups[one] !== undefined);
  if (kind === undefined) return undefined;
  const value = groups[kind] ?? '';
  return { kind, value: kind === 'text' ? textIn(value) : value, line };
}

/** Section 3.1: escapes are those of JSON. */
function textIn(text: string): string {
  return JSON.parse(`"${text}"`);
}
