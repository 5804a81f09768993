/** What the call of an MCP server's tool, told as a command, says about the files that changed while it ran. When in doubt, nothing. */

const WRITES = new Set(
  'write edit create replace insert append update patch modify rename delete remove add save put set generate refactor format fix apply'.split(
    ' ',
  ),
);
/** What such a tool brings stood somewhere before. */
const MOVES = new Set(
  'move copy checkout switch restore reset stash merge pull rebase cherry revert clone download undo redo'.split(' '),
);

const LOOKS = new Set(
  'read get list search find query fetch show view describe lookup inspect navigate screenshot wait ask think browse browser'.split(
    ' ',
  ),
);

export function isServerCall(command: string): boolean {
  return command.startsWith('mcp_');
}

export function serverCallMoves(command: string): boolean {
  const words = verbsOf(command);
  return words.some((word) => MOVES.has(word)) || (words.includes('rename') && words.includes('file'));
}

/** One that is called so, and nothing else. */
export function serverCallLooks(command: string): boolean {
  const words = verbsOf(command);
  return words.some((word) => LOOKS.has(word)) && !words.some((word) => WRITES.has(word)) && !serverCallMoves(command);
}

/** Nobody tells what such a tool does: it has written the file if its name says that it writes, and its arguments name the file. */
export function serverDoubt(command: string, path: string): string | undefined {
  const writes = verbsOf(command).some((word) => WRITES.has(word));
  return writes && namesIt(command, path) ? undefined : 'changed while a tool of an MCP server ran';
}

/** By the way to it, in full or from some folder: there may be other files of its last name. */
function namesIt(command: string, path: string): boolean {
  const places = [...command.matchAll(/'([^']*)'/g)].map(([, place = '']) => place.replace(/^\.\//, ''));
  return places.some((place) => place === path || place.endsWith(`/${path}`) || path.endsWith(`/${place}`));
}

/** `mcp__files__write_file`, `mcp_ide_createTextFile`: the words of its name. */
function verbsOf(command: string): string[] {
  const [name = ''] = command.split(' ', 1);
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .slice(1);
}
