import { createHash } from 'node:crypto';
import { contentHash } from '../lines/hash.ts';
import { bytesOf, type Lines } from '../lines/text.ts';

/**
 * Does the hash of a range fit these lines, by any rule that tools are known to use? No rule is written down anywhere, so a hash that
 * fits none says nothing at all: `silent`, never "changed".
 */
export function hashVerdict(hash: string | undefined, lines: Lines): 'match' | 'silent' {
  const [, name, digits = ''] = /^(murmur3|sha256):([0-9a-f]+)$/i.exec(hash ?? '') ?? [];
  const texts = [lines.join('\n'), `${lines.join('\n')}\n`, lines.join('\r\n'), `${lines.join('\r\n')}\r\n`];
  const wanted = digits.toLowerCase();
  if (name?.toLowerCase() === 'murmur3')
    return verdict(texts.some((text) => contentHash([text]) === `murmur3:${wanted}`));
  if (name?.toLowerCase() === 'sha256' && (wanted.length === 64 || wanted.length === 16)) {
    // one tool hashes the first line of a range alone
    return verdict([...texts, lines[0] ?? ''].some((text) => sha256(text).startsWith(wanted)));
  }
  return 'silent';
}

function verdict(matches: boolean): 'match' | 'silent' {
  return matches ? 'match' : 'silent';
}

function sha256(text: string): string {
  return createHash('sha256').update(bytesOf(text)).digest('hex');
}
