import { quoted, quotedJson } from './reason.ts';
import type { ReceiptVerdict } from './receipts.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** What a seal says without proof, as JSON can say it: bytes in hex, numbers beyond it as text. */
export function claimJson(value: unknown): Json {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map(claimJson);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [String(key), claimJson(item)]));
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : String(value);
}

/** More than anybody reads in a terminal. */
const MAX_SHOWN = 20;

export function printClaims(claims: ReadonlyMap<unknown, unknown>): string {
  const said = [...claims]
    .slice(0, MAX_SHOWN)
    .map(([key, value]) => `${plainKey(key)} ${quotedJson(claimJson(value))}`);
  const more = claims.size > MAX_SHOWN ? [`and ${claims.size - MAX_SHOWN} more`] : [];
  return [...said, ...more].join(', ');
}

function plainKey(key: unknown): string {
  const text = String(key);
  return /^[\w-]{1,40}$/.test(text) ? text : quoted(text);
}

/** One sentence of what a receipt proves. */
export function printReceipt(receipt: ReceiptVerdict): string {
  switch (receipt.state) {
    case 'proven':
      return `entry ${receipt.leaf + 1} of ${receipt.treeSize} in the log of ${receipt.signer}`;
    case 'wrong':
      return `WRONG: ${receipt.problem}`;
    case 'unknown-key': {
      const by = receipt.kid === undefined ? '' : ` by ${receipt.kid}`;
      const line = receipt.line === undefined ? 'no line of the allowed signers has' : `line ${receipt.line} has not`;
      return `not checked${by}: ${line} its key with namespaces="agent-receipt"`;
    }
  }
}
