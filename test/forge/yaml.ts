/** The part of YAML that our templates keep to: maps, lists, scalars on one line, `|` blocks, whole-line comments. */
export type Yaml = string | Yaml[] | { [key: string]: Yaml };

interface Line {
  readonly indent: number;
  readonly text: string;
}

export function parseYaml(source: string): Yaml {
  const lines: Line[] = source.split('\n').map((line) => ({ indent: line.search(/\S|$/), text: line.trim() }));
  return readNode(lines, 0);
}

const isNothing = ({ text }: Line) => text === '' || text.startsWith('#');

function skipNothing(lines: Line[]): Line | undefined {
  while (lines[0] && isNothing(lines[0])) lines.shift();
  return lines[0];
}

function readNode(lines: Line[], least: number): Yaml {
  const first = skipNothing(lines);
  if (!first || first.indent < least) return '';
  return first.text.startsWith('- ') ? readList(lines, first.indent) : readMap(lines, first.indent);
}

function readList(lines: Line[], indent: number): Yaml[] {
  const items: Yaml[] = [];
  for (
    let line = skipNothing(lines);
    line?.indent === indent && line.text.startsWith('- ');
    line = skipNothing(lines)
  ) {
    const text = line.text.slice(2);
    lines[0] = { indent: indent + 2, text };
    if (KEY.test(text)) items.push(readMap(lines, indent + 2));
    else {
      lines.shift();
      items.push(readValue(text, lines, indent + 1));
    }
  }
  return items;
}

const KEY = /^("[^"]*"|[\w.-]+):(?: (.*))?$/;

function readMap(lines: Line[], indent: number): Record<string, Yaml> {
  const map: Record<string, Yaml> = {};
  for (
    let line = skipNothing(lines);
    line?.indent === indent && !line.text.startsWith('- ');
    line = skipNothing(lines)
  ) {
    const [, key, value] = KEY.exec(line.text) ?? [];
    if (key === undefined) throw new Error(`not in our part of YAML: ${line.text}`);
    lines.shift();
    map[scalar(key)] = readValue(value ?? '', lines, indent + 1);
  }
  const next = skipNothing(lines);
  if (next && next.indent > indent) throw new Error(`indented too far: ${next.text}`);
  return map;
}

function readValue(text: string, lines: Line[], least: number): Yaml {
  if (text === '|') return readBlock(lines, least);
  if (text === '') return readNode(lines, least);
  return scalar(text);
}

function readBlock(lines: Line[], least: number): string {
  const kept: Line[] = [];
  while (lines[0] && (lines[0].text === '' || lines[0].indent >= least)) kept.push(lines.shift() as Line);
  const indent = kept[0]?.indent ?? 0;
  return `${kept
    .map((line) => ' '.repeat(Math.max(line.indent - indent, 0)) + line.text)
    .join('\n')
    .trimEnd()}\n`;
}

function scalar(text: string): string {
  if (/^"[^"\\]*"$/.test(text)) return text.slice(1, -1);
  // a plain scalar may hold neither of these, nor begin like another kind of value
  if (/: | #|^[[\]{},&*!|>%@`"']/.test(text)) throw new Error(`has to be quoted: ${text}`);
  return text;
}
