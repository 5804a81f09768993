import type { Problem } from '../shape.ts';
import { type Grammar, grammarOf, problemsOf } from './cddl/match.ts';
import { parseCddl } from './cddl/parse.ts';
import { VAC_GRAMMAR } from './grammar.ts';

let grammar: Grammar | undefined;

/** The draft's grammar, read when it is first needed. */
export function vacGrammar(): Grammar {
  grammar ??= grammarOf('vac', parseCddl(VAC_GRAMMAR));
  return grammar;
}

/**
 * Every rule of the draft's grammar that a value breaks, of JSON or as `decodeCbor` gives it: by default the rule `start`, a record or a
 * signed one. The grammar is taken as it stands; so, where it says less or other than its authors will have meant, do we:
 *
 * - The headers of a signature have entries with `=>`, which make no cut (RFC 8610, 3.5.4), beside `* label => any`. A header `alg` that
 *   is text, or trace metadata that are a number, are valid. Who checks a signature has to check its headers.
 * - A `Receipt` must have a receipt in its own unprotected header, without end: no value is a `Receipt`. And one place has
 *   `[+ Receipt]`, the other `[+ bstr .cbor Receipt]`. Real receipts are valid all the same, as any label's value is.
 * - `uri-regexp` takes every text whose fragment is one line, also an empty one.
 * - `range` does not say what the prose says: lines count from 1, and the first is not after the last.
 */
export function validateVac(value: unknown, rule = 'start'): Problem[] {
  return problemsOf(vacGrammar(), rule, value);
}
