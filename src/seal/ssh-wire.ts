/** Strings with their length before them, as SSH writes them (RFC 4251 section 5). Undefined where the bytes end too early. */
export interface WireReader {
  readUint32(): number | undefined;
  readBytes(): Uint8Array | undefined;
  readText(): string | undefined;
  /** What has not been read yet. */
  rest(): Uint8Array;
}

export function wireReader(bytes: Uint8Array): WireReader {
  let at = 0;
  const readUint32 = () => {
    if (at + 4 > bytes.length) return undefined;
    at += 4;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).readUInt32BE(at - 4);
  };
  const readBytes = () => {
    const length = readUint32();
    if (length === undefined || at + length > bytes.length) return undefined;
    at += length;
    return bytes.subarray(at - length, at);
  };
  return {
    readUint32,
    readBytes,
    readText: () => {
      const text = readBytes();
      return text && Buffer.from(text).toString('latin1');
    },
    rest: () => bytes.subarray(at),
  };
}

export function wireUint32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function wireString(value: string | Uint8Array): Uint8Array {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'latin1') : value;
  return Buffer.concat([wireUint32(bytes.length), bytes]);
}

/** A positive number of SSH as `width` bytes: no sign byte, zeros before it. Undefined where it does not fit. */
export function fixedWidth(mpint: Uint8Array, width: number): Uint8Array | undefined {
  if ((mpint[0] ?? 0) > 0x7f) return undefined;
  let start = 0;
  while (mpint[start] === 0) start++;
  const digits = mpint.subarray(start);
  return digits.length > width ? undefined : Buffer.concat([Buffer.alloc(width - digits.length), digits]);
}
