/** AgentLog's categories that we use. */
export type Category = 'api_key' | 'password' | 'custom';

export interface Rule {
  readonly category: Category;
  /** Only the group `secret` is taken out, else the whole match. Every quantifier is bounded: texts come from strangers. */
  readonly pattern: RegExp;
  /** Where the pattern is looked for, if not everywhere. */
  readonly within?: RegExp;
  /** What stands, in this case of letters, in each text that the pattern fits: most texts need not be searched. */
  readonly clue?: string;
  /** Where the name alone proves little: whether this can be a secret. */
  believes?(value: string, match: RegExpExecArray): boolean;
}

// what stands for a secret, and is none: our own marks, variables, placeholders
export const NOT = String.raw`(?!\[REDACTED:|\$|\{|<|%|\*)`;
export const QUOTE = String.raw`\\?["'\x60]`;
