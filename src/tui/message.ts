import type { AnnotatedLine } from '../blame/annotate.ts';
import type { Model, Size } from './model.ts';
import type { FileShare, ShownFile, Story } from './source.ts';

/** What happened. */
export type Message =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'resized'; readonly size: Size }
  | { readonly kind: 'opened'; readonly file: ShownFile; readonly line: number }
  | { readonly kind: 'told'; readonly of: AnnotatedLine; readonly story: Story }
  | { readonly kind: 'listed'; readonly revision: string | null; readonly files: readonly FileShare[] }
  | { readonly kind: 'counted'; readonly files: readonly FileShare[] }
  | { readonly kind: 'progress'; readonly done: number; readonly of: number }
  | { readonly kind: 'all counted' }
  | { readonly kind: 'failed'; readonly of: Want['kind']; readonly why: string };

/** What is to be done outside. */
export type Want =
  | { readonly kind: 'open'; readonly path: string; readonly revision: string | null }
  | { readonly kind: 'before'; readonly file: ShownFile; readonly line: AnnotatedLine }
  | { readonly kind: 'story'; readonly file: ShownFile; readonly line: AnnotatedLine }
  | { readonly kind: 'shares'; readonly revision: string | null }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'redraw' }
  | { readonly kind: 'quit' };

export interface Outcome {
  readonly model: Model;
  readonly wants: readonly Want[];
}

export function only(model: Model): Outcome {
  return { model, wants: [] };
}
