import { findPatch, type Lines } from './text.ts';
import {
  above,
  add,
  and,
  asLongAs,
  assemble,
  below,
  type Code,
  call,
  clear,
  copy,
  equal,
  get,
  int,
  load,
  loadByte,
  multiply,
  or,
  type Routine,
  repeat,
  rotateLeft,
  rotateRight,
  set,
  shiftLeft,
  shiftRight,
  store,
  storeByte,
  subtract,
  when,
  xor,
} from './wasm.ts';

/**
 * Hashes of many lines at once. A call of node's own hash for each line costs several times what the hashing does, and code that runs for
 * a tenth of a second is not compiled well before it is done; WebAssembly is from the start.
 */
export interface Machine {
  /** Undefined: there are none, too many, or some that are no lines. */
  hash(lines: Lines): { readonly murmur: number; readonly each: string } | undefined;
}

// the memory, in bytes from 0: the state of SHA-256, the end of a line with its padding, digits, constants, schedule; then the text
const [STATE, PAD, DIGITS, CONSTANTS, SCHEDULE, TEXT] = [0, 64, 192, 256, 512, 768];
const BLOCK = 64;
const PAGE = 1 << 16;
/** More memory is not asked for. */
const MOST = 8 << 20;
/** Characters for each line, 6 bits each. */
const KEPT = 8;
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** FIPS 180-4: bits of the roots of the first primes. */
const primes = Array.from({ length: 311 }, (_, i) => i + 2).filter((n) => {
  for (let by = 2; by * by <= n; by++) if (n % by === 0) return false;
  return true;
});
const fraction = (n: number) => Math.trunc((n % 1) * 2 ** 32);

function swapped(value: Code, spare: number): Code {
  const turned = (by: number, mask: number) => and(rotateRight(get(spare), by), int(mask));
  return [set(spare, value), or(turned(8, 0xff00ff00), turned(24, 0x00ff00ff))];
}

/** One block of SHA-256 upon the state. */
function shaBlock(): Routine {
  const [AT, A, B, C, D, E, F, G, H, SUM, X, I] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
  const registers = [A, B, C, D, E, F, G, H];
  const small = (at: number, [a, b, c]: readonly [number, number, number]): Code => {
    const value = get(X);
    return [set(X, load(get(I), at)), xor(rotateRight(value, a), rotateRight(value, b), shiftRight(value, int(c)))];
  };
  const large = (value: Code, [a, b, c]: readonly [number, number, number]): Code =>
    xor(rotateRight(value, a), rotateRight(value, b), rotateRight(value, c));
  const choice = xor(get(G), and(get(E), xor(get(F), get(G))));
  const majority = or(and(get(A), get(B)), and(get(C), or(get(A), get(B))));
  const upTo = (end: number, body: Code) => repeat([body, set(I, add(get(I), int(4)))], below(get(I), int(end)));
  const before = (words: number) => SCHEDULE - 4 * words;
  const body: Code = [
    [set(I, int(0)), upTo(BLOCK, store(get(I), swapped(load(add(get(AT), get(I))), X), SCHEDULE))],
    upTo(
      4 * BLOCK,
      store(
        get(I),
        add(
          load(get(I), before(16)),
          load(get(I), before(7)),
          small(before(15), [7, 18, 3]),
          small(before(2), [17, 19, 10]),
        ),
        SCHEDULE,
      ),
    ),
    registers.map((register, i) => set(register, load(int(STATE), 4 * i))),
    set(I, int(0)),
    upTo(4 * BLOCK, [
      set(SUM, add(get(H), large(get(E), [6, 11, 25]), choice, load(get(I), CONSTANTS), load(get(I), SCHEDULE))),
      set(X, add(get(SUM), large(get(A), [2, 13, 22]), majority)),
      [set(H, get(G)), set(G, get(F)), set(F, get(E)), set(E, add(get(D), get(SUM)))],
      [set(D, get(C)), set(C, get(B)), set(B, get(A)), set(A, get(X))],
    ]),
    registers.map((register, i) => store(int(STATE), add(load(int(STATE), 4 * i), get(register)), 4 * i)),
    int(0),
  ];
  return { name: 'block', parameters: 1, locals: 11, body };
}

/** SHA-256 of every line from `AT` to `END`: the first characters of each are written to `OUT` and on. Gives where they end. */
function shaLines(): Routine {
  const [AT, END, OUT, STOP, LENGTH, REST, X, Y] = [0, 1, 2, 3, 4, 5, 6, 7];
  const hashBlock = (at: Code): Code => set(X, call(0, at));
  const left = subtract(get(STOP), get(AT));
  const bits = (value: number, from: number) => and(shiftRight(get(value), int(from)), int(63));
  const digits = [
    ...[26, 20, 14, 8, 2].map((from) => bits(X, from)),
    or(shiftLeft(and(get(X), int(3)), int(4)), shiftRight(get(Y), int(28))),
    ...[22, 16].map((from) => bits(Y, from)),
  ];
  const inLine = and(below(get(STOP), get(END)), xor(equal(loadByte(get(STOP)), int(10)), int(1)));
  const line: Code = [
    set(STOP, get(AT)),
    asLongAs(inLine, set(STOP, add(get(STOP), int(1)))),
    set(LENGTH, left),
    primes.slice(0, 8).map((prime, i) => store(int(STATE), int(fraction(Math.sqrt(prime))), 4 * i)),
    asLongAs(above(left, int(BLOCK - 1)), [hashBlock(get(AT)), set(AT, add(get(AT), int(BLOCK)))]),
    set(REST, left),
    clear(int(PAD), int(2 * BLOCK)),
    copy(int(PAD), get(AT), get(REST)),
    storeByte(add(int(PAD), get(REST)), int(128)),
    // the length stands at the end of the block, which is another one where there is no room
    set(Y, and(add(get(REST), int(8)), int(BLOCK))),
    store(get(Y), swapped(shiftLeft(get(LENGTH), int(3)), X), PAD + BLOCK - 4),
    hashBlock(int(PAD)),
    when(get(Y), hashBlock(int(PAD + BLOCK))),
    [set(X, load(int(STATE))), set(Y, load(int(STATE), 4))],
    digits.map((digit, i) => storeByte(get(OUT), loadByte(digit, DIGITS), i)),
    set(OUT, add(get(OUT), int(KEPT))),
    set(AT, add(get(STOP), int(1))),
  ];
  return { name: 'each', parameters: 3, locals: 5, body: [repeat(line, below(get(STOP), get(END))), get(OUT)] };
}

/** MurmurHash3 x86 32-bit, seed 0, from `AT` to `END`, where four bytes are nought. */
function murmur(): Routine {
  const [AT, END, LENGTH, HASH] = [0, 1, 2, 3];
  const word = multiply(rotateLeft(multiply(load(get(AT)), int(0xcc9e2d51)), 15), int(0x1b873593));
  const mixed = rotateLeft(xor(get(HASH), word), 13);
  const folded = (by: number, factor: number): Code =>
    set(HASH, multiply(xor(get(HASH), shiftRight(get(HASH), int(by))), int(factor)));
  const body: Code = [
    set(LENGTH, subtract(get(END), get(AT))),
    asLongAs(above(subtract(get(END), get(AT)), int(3)), [
      set(HASH, add(multiply(mixed, int(5)), int(0xe6546b64))),
      set(AT, add(get(AT), int(4))),
    ]),
    set(HASH, xor(get(HASH), word, get(LENGTH))),
    folded(16, 0x85ebca6b),
    folded(13, 0xc2b2ae35),
    xor(get(HASH), shiftRight(get(HASH), int(16))),
  ];
  return { name: 'murmur', parameters: 2, locals: 2, body };
}

/** Takes out the byte behind every line end from `AT` to `END`. Gives where what is left ends. */
function strip(): Routine {
  const [AT, END, TO, BYTE] = [0, 1, 2, 3];
  const next = (local: number): Code => set(local, add(get(local), int(1)));
  const body: Code = [
    set(TO, get(AT)),
    asLongAs(below(get(AT), get(END)), [
      set(BYTE, loadByte(get(AT))),
      storeByte(get(TO), get(BYTE)),
      [next(AT), next(TO)],
      when(equal(get(BYTE), int(10)), next(AT)),
    ]),
    get(TO),
  ];
  return { name: 'strip', parameters: 2, locals: 2, body };
}

/** As much of the language's own as is used here: its types come with browsers. */
interface Engine {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Exports };
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  strip(at: number, end: number): number;
  each(at: number, end: number, out: number): number;
  murmur(at: number, end: number): number;
}

/** Undefined where there is no WebAssembly, or no room for it. */
export function startMachine(): Machine | undefined {
  const { WebAssembly: engine } = globalThis as { readonly WebAssembly?: Engine };
  try {
    if (!engine) return undefined;
    const module = new engine.Module(assemble([shaBlock(), shaLines(), murmur(), strip()], 4));
    return machineOf(new engine.Instance(module).exports);
  } catch {
    return undefined;
  }
}

function machineOf({ memory, strip, each, murmur: murmured }: Exports): Machine {
  let bytes = Buffer.from(memory.buffer);
  bytes.write(BASE64URL, DIGITS, 'latin1');
  for (const [i, prime] of primes.entries()) bytes.writeUInt32LE(fraction(Math.cbrt(prime)), CONSTANTS + 4 * i);
  return {
    hash(lines) {
      const patch = findPatch(lines);
      const text = patch ?? lines.join('\n');
      const [last, kept] = [TEXT + text.length, KEPT * lines.length];
      const out = last + 4;
      if (lines.length === 0 || out + kept > MOST) return undefined;
      if (out + kept > bytes.length) {
        memory.grow(Math.ceil((out + kept - bytes.length) / PAGE));
        bytes = Buffer.from(memory.buffer);
      }
      bytes.write(text, TEXT, 'latin1');
      const end = patch === undefined ? last : strip(TEXT, last);
      bytes.writeInt32LE(0, end);
      const murmur = murmured(TEXT, end) >>> 0;
      // where a line holds a line end, it is not for us
      if (each(TEXT, end, out) !== out + kept) return undefined;
      return { murmur, each: bytes.toString('latin1', out, out + kept) };
    },
  };
}
