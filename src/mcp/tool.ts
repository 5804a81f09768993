/** What a tool says: a text that is short enough to be read, and the same as data. */
export interface Told {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
}

/** One argument: what may be said, and what for. */
export interface Argument {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

/** JSON Schema of the arguments: it is told to the client, and what the client sends is held against it. */
export interface ArgumentSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Argument>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

export type Arguments = Readonly<Record<string, string | number | boolean | undefined>>;

/** Every tool only reads. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: ArgumentSchema;
  /** The `schema` that the data names. */
  readonly answers: string;
  run(said: Arguments): Promise<Told>;
}
