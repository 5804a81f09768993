/** Instructions of WebAssembly, as far as we use them: numbers are bytes, lists are put one behind the other. */
export type Code = readonly (number | Code)[];

const I32 = 0x7f;
const NOTHING = 0x40;

/** Unsigned and signed numbers in seven bits a byte, the lowest first. */
function unsigned(n: number): number[] {
  return n < 128 ? [n] : [(n & 127) | 128, ...unsigned(n >>> 7)];
}

function signed(n: number): number[] {
  const rest = n >> 7;
  return rest === (n & 64 ? -1 : 0) ? [n & 127] : [(n & 127) | 128, ...signed(rest)];
}

export const int = (n: number): Code => [0x41, signed(n | 0)];
export const get = (local: number): Code => [0x20, local];
export const set = (local: number, value: Code): Code => [value, 0x21, local];

const two =
  (code: number) =>
  (a: Code, b: Code): Code => [a, b, code];
const some =
  (code: number) =>
  (first: Code, ...others: readonly Code[]): Code => [first, others.map((one) => [one, code])];

export const [add, xor, or] = [some(0x6a), some(0x73), some(0x72)];
export const [subtract, multiply, and, shiftLeft, shiftRight] = [two(0x6b), two(0x6c), two(0x71), two(0x74), two(0x76)];
export const [equal, below, above] = [two(0x46), two(0x49), two(0x4b)];
export const rotateLeft = (value: Code, by: number): Code => [value, int(by), 0x77];
export const rotateRight = (value: Code, by: number): Code => [value, int(by), 0x78];

export const load = (at: Code, offset = 0): Code => [at, 0x28, 0, unsigned(offset)];
export const loadByte = (at: Code, offset = 0): Code => [at, 0x2d, 0, unsigned(offset)];
export const store = (at: Code, value: Code, offset = 0): Code => [at, value, 0x36, 0, unsigned(offset)];
export const storeByte = (at: Code, value: Code, offset = 0): Code => [at, value, 0x3a, 0, unsigned(offset)];
export const copy = (to: Code, from: Code, length: Code): Code => [to, from, length, 0xfc, 10, 0, 0];
export const clear = (at: Code, length: Code): Code => [at, int(0), length, 0xfc, 11, 0];

export const call = (index: number, ...values: readonly Code[]): Code => [values, 0x10, index];
export const when = (condition: Code, then: Code): Code => [condition, 0x04, NOTHING, then, 0x0b];
/** Once, and again as long as the condition holds. */
export const repeat = (body: Code, condition: Code): Code => [0x03, NOTHING, body, condition, 0x0d, 0, 0x0b];
/** Perhaps never. */
export const asLongAs = (condition: Code, body: Code): Code => when(condition, repeat(body, condition));

export interface Routine {
  readonly name: string;
  /** All of them are 32 bits wide, and so is what it gives. */
  readonly parameters: number;
  readonly locals: number;
  readonly body: Code;
}

/** A module with one memory, named `memory`, of `pages` pages. */
export function assemble(routines: readonly Routine[], pages: number): Uint8Array<ArrayBuffer> {
  const each = (one: (routine: Routine, i: number) => Code) => [routines.length, routines.map(one)];
  const type = ({ parameters }: Routine): Code => [0x60, parameters, new Array<number>(parameters).fill(I32), 1, I32];
  const body = ({ locals, body: code }: Routine) => measured([1, unsigned(locals), I32, code, 0x0b]);
  const memory = [named('memory'), 2, 0];
  return Uint8Array.from(
    flat([
      [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      [1, measured(each(type))],
      [3, measured(each((_, i) => [i]))],
      [5, measured([1, 0, unsigned(pages)])],
      [7, measured([routines.length + 1, memory, routines.map(({ name }, i) => [named(name), 0, i])])],
      [10, measured(each(body))],
    ]),
  );
}

function named(name: string): Code {
  return [name.length, [...Buffer.from(name)]];
}

function measured(code: Code): Code {
  const bytes = flat(code);
  return [unsigned(bytes.length), bytes];
}

function flat(code: Code, into: number[] = []): number[] {
  for (const one of code) {
    if (typeof one === 'number') into.push(one);
    else flat(one, into);
  }
  return into;
}
