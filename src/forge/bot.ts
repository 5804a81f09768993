import { Fault } from '../fault.ts';

/** A remark on lines of a file, shown beside the change where the forge can. */
export interface Annotation {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly level: 'notice' | 'warning' | 'failure';
  readonly message: string;
}

export interface Status {
  /** `neutral`: nothing to object to, nothing to praise. Forges that have no word for it show success. */
  readonly state: 'success' | 'failure' | 'neutral';
  /** One line: all that many forges show. */
  readonly title: string;
  /** Markdown. */
  readonly summary: string;
  readonly annotations: readonly Annotation[];
}

/** Not being allowed to write is an answer, not an error: the report then goes to a file and the job's summary. */
export type Written =
  | { readonly written: true; readonly how: 'created' | 'updated' | 'unchanged'; readonly url?: string }
  | { readonly written: false; readonly why: string };

/** Speaks to one forge about one change. Whatever else goes wrong (no network, a token that is not known) is a fault. */
export interface Bot {
  /** One comment for each marker (letters, digits, hyphens): made once, found again by it, then changed. */
  upsertComment(marker: string, body: string): Promise<Written>;
  setStatus(status: Status): Promise<Written>;
}

/** What a bot needs of the world. */
export interface Means {
  readonly env: Readonly<Record<string, string | undefined>>;
  sleep(milliseconds: number): Promise<void>;
  /** One line for the job's log. */
  log(line: string): void;
}

/** The name that statuses and checks go by. */
export const STATUS_NAME = 'agent-blame';

/** The HTTP status behind a fault; undefined where nobody answered, or the limit of requests was reached. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof Fault && typeof error.data.status === 'number' ? error.data.status : undefined;
}

const NOT_ALLOWED = new Set([403, 404, 410]);

/** Forges hide what a token may not see behind 404, so it counts as not being allowed. */
export function isRefusal(error: unknown): boolean {
  return NOT_ALLOWED.has(statusOf(error) ?? 0);
}

export async function unlessRefused(hint: string, write: () => Promise<Written>): Promise<Written> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof Error) || !isRefusal(error)) throw error;
    return { written: false, why: `${error.message} (${hint})` };
  }
}

/** A bot that has nobody to talk to, and says why. */
export function muteBot(why: string): Bot {
  const answer = async (): Promise<Written> => ({ written: false, why });
  return { upsertComment: answer, setStatus: answer };
}

/** At most so many characters, on one line. */
export function oneLine(text: string, limit: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 3).trimEnd()}...`;
}
