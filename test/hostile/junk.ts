export const junk = Buffer.from([0xff, 0xfe, 0x00, 0x80, 0xc3, 0x28, 0x0a, 0xf0, 0x9f, 0x92, 0x0a]);

/** What may stand in a journal that is none of ours. */
export const JUNK: readonly [string, string | Buffer][] = [
  ['binary junk', junk],
  ['much invalid UTF-8', Buffer.alloc(5000, 0xff)],
  ['a torn line', '{"fact":"commit","at":17000000'],
  ['a line of ten megabytes', `${'x'.repeat(10 << 20)}\n`],
  ['a fact of ten megabytes', `{"fact":"commit","at":1,"commit":"${'a'.repeat(10 << 20)}"}\n`],
  ['deep nesting', `${'['.repeat(200_000)}\n`],
  ['prototype keys', '{"__proto__":{"fact":"commit"},"fact":"__proto__","at":1}\n{"fact":"constructor","at":1}\n'],
  ['values of other kinds', '{"fact":"payload","at":1,"agent":[],"file":{}}\n[]\nnull\n7\n"x"\n'],
  ['a time beyond all dates', '{"fact":"payload","at":1e300,"agent":"claude-code","file":"x"}\n'],
  [
    'commits that are none',
    '{"fact":"commit","at":1,"commit":"--output=x"}\n{"fact":"commit","at":1,"commit":"HEAD"}\n',
  ],
  [
    'a commit with a line end',
    '{"fact":"commit","at":1,"commit":"a\\nb"}\n{"fact":"commit","at":1,"commit":"a\\u0000b"}\n',
  ],
  ['a commit that was pruned', `{"fact":"commit","at":1,"commit":"${'ab'.repeat(20)}"}\n`],
];
