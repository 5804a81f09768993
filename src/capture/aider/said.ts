/** What aider printed after an answer: what became of the edits in it. */
export interface Aftermath {
  /** Files that aider says it edited. */
  readonly applied: readonly string[];
  /** Of these, those that it made. */
  readonly created: ReadonlySet<string>;
  /** Files that somebody did not let it edit. */
  readonly spared: ReadonlySet<string>;
  /** Why edits were not applied, or not all of them. */
  readonly failure?: string;
  /** A person's work in files that were about to be edited: committed first. */
  readonly dirty?: string;
  readonly dirtyFiles: ReadonlySet<string>;
  /** The edits themselves. */
  readonly own?: string;
  /** And what a linter made of them. */
  readonly linted?: string;
  /** Commands of the model's that the person let run. */
  readonly commands: readonly string[];
}

const FAILED = /^(?:The LLM did not conform to the edit format\.|Exception while updating files:)/;

export function readAftermath(said: readonly string[]): Aftermath {
  const find = (pattern: RegExp) => said.flatMap((text) => pattern.exec(text)?.[1] ?? []);
  const failed = said.findIndex((text) => FAILED.test(text));
  const done = said.findIndex((text) => /^Applied edit to /.test(text) || FAILED.test(text));
  const commits = (from: number, to: number) =>
    said.slice(from, to).flatMap((text) => /^Commit ([0-9a-f]{7,40}) /.exec(text)?.[1] ?? []);
  const [before, after] = done < 0 ? [[], []] : [commits(0, done), commits(done, said.length)];
  const dirtyFiles = new Set(find(/^Committing (.+) before applying edits\.$/));
  return {
    applied: find(/^Applied edit to (.+)$/),
    created: new Set(said.flatMap((text, i) => (/^Create new file\? .* y$/.test(text) ? (said[i - 1] ?? []) : []))),
    spared: new Set([
      ...find(/^Skipping edits to (.+?)(?: that matches gitignore spec\.)?$/),
      ...find(/^Unable to create (.+), skipping edits\.$/),
    ]),
    dirtyFiles,
    commands: find(/^Running (.+)$/),
    ...(failed >= 0 && { failure: said.slice(failed).join('\n') }),
    ...(dirtyFiles.size > 0 && before[0] !== undefined && { dirty: before[0] }),
    ...(after[0] !== undefined && { own: after[0] }),
    ...(after[1] !== undefined && { linted: after[1] }),
  };
}

/** The model that answers, and the language of its edits; aider announces both whenever they change. */
export interface Announced {
  readonly version?: string;
  readonly model?: string;
  readonly format?: string;
  /** The one that carries out what an architect has planned. */
  readonly editorModel?: string;
  readonly editorFormat?: string;
}

export function readAnnounced(before: Announced, said: readonly string[]): Announced {
  let so = before;
  for (const text of said) {
    const version = /^Aider v(\d[\w.+-]{0,40})/.exec(text)?.[1];
    const [, who, model, format] = /^(Main model|Model|Editor model): (\S+) with (\S+) edit format/.exec(text) ?? [];
    if (version !== undefined) so = { ...so, version };
    else if (model === undefined || format === undefined) continue;
    else if (who === 'Editor model') so = { ...so, editorModel: model, editorFormat: format };
    else so = { ...(so.version !== undefined && { version: so.version }), model, format };
  }
  return so;
}
