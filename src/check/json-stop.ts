/** Where a text stops being JSON, and what is wrong there. */
export interface JsonStop {
  readonly at: number;
  readonly message: string;
}

interface Reader {
  readonly text: string;
  at: number;
}

/** Undefined for JSON. The text is known not to be nested too deep. JavaScript's own messages name no place everywhere. */
export function findStop(text: string): JsonStop | undefined {
  const reader = { text, at: text.startsWith('\uFEFF') ? 1 : 0 };
  skipSpace(reader);
  if (reader.at === text.length) return stop(reader, 'the file is empty');
  const wrong = passValue(reader);
  if (wrong) return wrong;
  skipSpace(reader);
  return reader.at < text.length ? stop(reader, 'something follows after the end') : undefined;
}

function stop({ text, at }: Reader, expected: string): JsonStop {
  if (text.startsWith('//', at) || text.startsWith('/*', at)) return { at, message: 'JSON has no comments' };
  if (text[at] === "'") return { at, message: 'strings have double quotes in JSON' };
  return { at, message: at >= text.length ? `the file ends too early: ${expected}` : expected };
}

function skipSpace(reader: Reader): void {
  while (' \t\n\r'.includes(reader.text[reader.at] ?? '-')) reader.at++;
}

function passValue(reader: Reader): JsonStop | undefined {
  switch (reader.text[reader.at]) {
    case '{':
      return passList(reader, '}', passMember);
    case '[':
      return passList(reader, ']', passValue);
    case '"':
      return passString(reader);
    default:
      return passWord(reader);
  }
}

type Pass = (reader: Reader) => JsonStop | undefined;

function passList(reader: Reader, close: string, passItem: Pass): JsonStop | undefined {
  reader.at++;
  skipSpace(reader);
  if (reader.text[reader.at] === close) {
    reader.at++;
    return undefined;
  }
  for (;;) {
    const wrong = passItem(reader);
    if (wrong) return wrong;
    skipSpace(reader);
    const next = reader.text[reader.at];
    if (next !== ',' && next !== close) return stop(reader, `a comma or ${close} is missing here`);
    const comma = reader.at++;
    if (next === close) return undefined;
    skipSpace(reader);
    if (reader.text[reader.at] === close) return { at: comma, message: `a comma before ${close} is not allowed` };
  }
}

function passMember(reader: Reader): JsonStop | undefined {
  if (reader.text[reader.at] !== '"') return stop(reader, 'a name in double quotes is missing here');
  const wrong = passString(reader);
  if (wrong) return wrong;
  skipSpace(reader);
  if (reader.text[reader.at] !== ':') return stop(reader, 'a colon is missing here');
  reader.at++;
  skipSpace(reader);
  return passValue(reader);
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

function passString(reader: Reader): JsonStop | undefined {
  const { text, at: open } = reader;
  for (let at = open + 1; at < text.length; ) {
    const character = text[at] ?? '';
    if (character === '"') {
      reader.at = at + 1;
      return undefined;
    }
    if (character === '\n' || character === '\r') return { at: open, message: 'the string does not end on its line' };
    if (character < ' ') return { at, message: 'a control character has to be escaped' };
    ESCAPE.lastIndex = at;
    if (character === '\\' && !ESCAPE.test(text)) return { at, message: 'there is no such escape' };
    at = character === '\\' ? ESCAPE.lastIndex : at + 1;
  }
  return { at: open, message: 'the string never ends' };
}

const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function passWord(reader: Reader): JsonStop | undefined {
  WORD.lastIndex = reader.at;
  if (!WORD.test(reader.text)) return stop(reader, 'a value is missing here');
  reader.at = WORD.lastIndex;
  return undefined;
}
