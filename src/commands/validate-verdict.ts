import type { Problem } from '../shape.ts';

/** A broken rule, and the line of the file that it is broken on, where the file has lines. */
export interface PlacedProblem extends Problem {
  readonly line?: number;
}

/** What is to be said of one file. */
export interface FileVerdict {
  readonly file: string;
  /** Null: of no format that we know. */
  readonly format: string | null;
  /** The documents whose rules were asked. */
  readonly rules: string | null;
  /** How many documents, records or events the file holds. */
  readonly parts: number;
  readonly conforms: boolean;
  readonly problems: readonly PlacedProblem[];
  readonly remarks: readonly string[];
}

export const VERDICT_SCHEMA_NAME = 'git-agent-blame/validate@1';

/** Rules of kind `note` are against the letter only, and tolerated by all. */
export function isBroken({ kind }: Problem): boolean {
  return kind !== 'note';
}

export function printVerdictsJson(files: readonly FileVerdict[]): string {
  const conforms = files.every((one) => one.conforms);
  return `${JSON.stringify({ schema: VERDICT_SCHEMA_NAME, conforms, files })}\n`;
}

const text = { type: 'string' };

/** JSON Schema of what `printVerdictsJson` prints. */
export const VERDICT_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://git-agent-blame.dev/schema/validate-1.json',
  title: 'git agent validate --format json',
  type: 'object',
  required: ['schema', 'conforms', 'files'],
  properties: {
    schema: { const: VERDICT_SCHEMA_NAME },
    conforms: { type: 'boolean', description: 'Every file conforms.' },
    files: {
      type: 'array',
      items: {
        type: 'object',
        required: ['file', 'format', 'rules', 'parts', 'conforms', 'problems', 'remarks'],
        properties: {
          file: text,
          format: { type: ['string', 'null'], description: 'Null: of no format that is known.' },
          rules: { type: ['string', 'null'], description: 'The document whose rules were asked.' },
          parts: { type: 'integer', minimum: 0, description: 'Documents, records or events in the file.' },
          conforms: { type: 'boolean' },
          problems: {
            type: 'array',
            items: {
              type: 'object',
              required: ['rule', 'path', 'message', 'kind'],
              properties: {
                rule: { ...text, description: 'Document, section and field.' },
                path: { ...text, description: 'JSON pointer (RFC 6901) to the value.' },
                message: text,
                kind: {
                  enum: ['shape', 'value', 'note'],
                  description: 'A note does not make a document non-conformant.',
                },
                line: { type: 'integer', minimum: 1 },
              },
            },
          },
          remarks: { type: 'array', items: text },
        },
      },
    },
  },
} as const;
