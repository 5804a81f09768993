import { Fault } from '../fault.ts';
import type { Message, Want } from './message.ts';
import { firstModel, type Model, type Size } from './model.ts';
import type { ShownFile, Source } from './source.ts';
import { update } from './state.ts';

/** Holds the model, and has done what it wants. */
export interface Store {
  model(): Model;
  subscribe(listener: () => void): () => void;
  dispatch(message: Message): void;
}

export interface StoreOptions {
  readonly source: Source;
  readonly file: ShownFile;
  readonly size: Size;
  /** What only a terminal can do. */
  onScreen(want: Extract<Want, { kind: 'quit' | 'suspend' | 'redraw' }>): void;
}

export function openStore({ source, file, size, onScreen }: StoreOptions): Store {
  let model = firstModel(file, size);
  const listeners = new Set<() => void>();
  let waiting = false;
  const dispatch = (message: Message) => {
    const outcome = update(model, message);
    model = outcome.model;
    for (const want of outcome.wants) carryOut(want);
    tell();
  };
  /** Keys that come together are drawn together. */
  const tell = () => {
    if (waiting) return;
    waiting = true;
    setImmediate(() => {
      waiting = false;
      for (const listener of listeners) listener();
    });
  };
  let counting = new AbortController();
  const carryOut = (want: Want) => {
    if (want.kind === 'quit' || want.kind === 'suspend' || want.kind === 'redraw') return onScreen(want);
    // the files of one commit at a time
    if (want.kind === 'shares') {
      counting.abort();
      counting = new AbortController();
    }
    const { signal } = counting;
    const tell = (message: Message) => (want.kind === 'shares' && signal.aborted ? undefined : dispatch(message));
    ask(source, want, { tell, signal }).then(tell, (error: unknown) =>
      tell({ kind: 'failed', of: want.kind, why: sentence(error) }),
    );
  };
  return {
    model: () => model,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispatch,
  };
}

type Question = Exclude<Want, { kind: 'quit' | 'suspend' | 'redraw' }>;

interface Asking {
  readonly signal: AbortSignal;
  tell(message: Message): void;
}

async function ask(source: Source, want: Question, { tell, signal }: Asking): Promise<Message> {
  switch (want.kind) {
    case 'open':
      return { kind: 'opened', file: await source.file(want.path, want.revision), line: 0 };
    case 'before': {
      const before = await source.before(want.file, want.line);
      if (!before)
        return {
          kind: 'failed',
          of: want.kind,
          why: 'There is nothing before: the file came into being with this commit.',
        };
      return { kind: 'opened', file: before.file, line: before.line - 1 };
    }
    case 'story':
      return { kind: 'told', of: want.line, story: await source.story(want.file, want.line) };
    case 'shares': {
      const { revision } = want;
      await source.shares(revision, {
        signal,
        listed: (files) => tell({ kind: 'listed', revision, files }),
        counted: (files) => tell({ kind: 'counted', files }),
        progress: (done, of) => tell({ kind: 'progress', done, of }),
      });
      return { kind: 'all counted' };
    }
  }
}

/** Our own mistakes are told too: there is no other place to tell them while the screen is ours. */
function sentence(error: unknown): string {
  if (error instanceof Fault) return error.message;
  return `This is a mistake of ours: ${error instanceof Error ? error.message : String(error)}`;
}
