/** A type of a CDDL grammar (RFC 8610), as far as the draft needs CDDL. */
export type Type =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'literal'; readonly value: string | number }
  | { readonly kind: 'choice'; readonly options: readonly Type[] }
  | MapType
  | { readonly kind: 'array'; readonly items: readonly Item[] }
  | { readonly kind: 'tag'; readonly tag: number; readonly content: Type }
  /** `.regexp`: text that is matched as a whole. */
  | { readonly kind: 'regexp'; readonly target: Type; readonly pattern: Type }
  /** `.cbor`: bytes that hold one encoded item. */
  | { readonly kind: 'cbor'; readonly target: Type; readonly content: Type };

export interface MapType {
  readonly kind: 'map';
  /** Entries whose key is one value. */
  readonly members: ReadonlyMap<string | number, Member>;
  /** Those of `members` that tell one map from another: the value is a literal too, as `type: "user"`. */
  readonly marks: readonly Member[];
  /** `* tstr => any`: what else may stand in the map; absent where nothing may. */
  readonly others?: { readonly key: Type; readonly value: Type };
}

export interface Member {
  readonly key: string | number;
  readonly value: Type;
  readonly required: boolean;
  /** Written with `:`. A value that does not fit is then wrong, even where `others` would take it (section 3.5.4). */
  readonly cut: boolean;
}

export interface Item {
  readonly value: Type;
  readonly least: number;
  readonly most: number;
}

export type Rules = ReadonlyMap<string, Type>;
