import fc from 'fast-check';

/** What nobody expects in the place of a value. */
const ODD = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(-1, -0, 1e300, 2 ** 53, '', [], {}, [[]], null, true, { type: 'user' }, [null]),
  fc.constantFrom('__proto__', 'constructor', '\ud800', '\u001b[31m', '\0', '../..', '9999-99-99', 'a\nb', 'x://'),
  fc.constantFrom(300, 3000).map((length) => 'a'.repeat(length)),
  fc.constant(Array.from({ length: 50 }, () => ({ type: 'message' }))),
  fc.constantFrom(60, 190, 193, 195, 197, 198, 260).map((depth) => JSON.parse('['.repeat(depth) + ']'.repeat(depth))),
);

type Change = readonly [at: number, how: 'put' | 'drop' | 'rename' | 'double', odd: unknown];

const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.tuple(fc.nat(), fc.constantFrom<Change[1]>('put', 'put', 'drop', 'rename', 'double'), ODD),
  { minLength: 1, maxLength: 3 },
);

/** A value of JSON with some of what is in it exchanged, dropped, renamed or doubled. */
export function bentValues(samples: readonly unknown[]): fc.Arbitrary<string> {
  return fc.tuple(fc.constantFrom(...samples), changes).map(([sample, all]) => {
    const root = { root: structuredClone(sample) };
    for (const change of all) bend(root, change);
    return JSON.stringify(root.root) ?? '';
  });
}

interface Spot {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string;
}

function* spotsIn(holder: unknown): Generator<Spot> {
  if (typeof holder !== 'object' || holder === null) return;
  for (const key of Object.keys(holder)) {
    yield { holder: holder as Spot['holder'], key };
    yield* spotsIn(Reflect.get(holder, key));
  }
}

function bend(root: object, [at, how, strange]: Change): void {
  // the same one may be put in twice
  const odd = structuredClone(strange);
  const spots = [...spotsIn(root)];
  const spot = spots[at % spots.length];
  if (!spot) return;
  const { holder, key } = spot;
  const value: unknown = Reflect.get(holder, key);
  if (how === 'put') Reflect.set(holder, key, odd);
  else if (Array.isArray(holder))
    holder.splice(Number(key), how === 'drop' ? 1 : 0, ...(how === 'drop' ? [] : [value]));
  else if (spot !== spots[0]) {
    if (how !== 'double') Reflect.deleteProperty(holder, key);
    if (how !== 'drop') Reflect.set(holder, typeof odd === 'string' ? odd : `${key}x`, value);
  }
}

/** Bytes with some exchanged, cut out, put in or doubled, or cut short. */
export function bentBytes(samples: readonly Uint8Array[]): fc.Arbitrary<Uint8Array> {
  const how = fc.constantFrom('set', 'cut', 'add', 'double', 'end');
  const one = fc.tuple(fc.nat(), fc.nat({ max: 24 }), fc.uint8Array({ maxLength: 6 }), how);
  return fc.tuple(fc.constantFrom(...samples), fc.array(one, { minLength: 1, maxLength: 3 })).map(([sample, all]) =>
    all.reduce<Uint8Array>((bytes, [at, length, put, how]) => {
      const from = bytes.length === 0 ? 0 : at % bytes.length;
      const [before, after] = [bytes.subarray(0, from), bytes.subarray(from)];
      if (how === 'end') return before;
      const kept = after.subarray(how === 'cut' ? length : how === 'set' ? put.length : 0);
      const added = how === 'cut' ? [] : [how === 'double' ? after.subarray(0, length) : put];
      return Buffer.concat([before, ...added, kept]);
    }, sample),
  );
}
