import { Fault } from '../fault.ts';
import { isRefusal, statusOf, type Written } from './bot.ts';

export interface Comment {
  readonly id: string;
  /** As `CommentPlace.who` names people. */
  readonly author: string;
  readonly body: string;
  readonly url?: string;
}

/** Where a change's comments are: what each forge has to be able to do. */
export interface CommentPlace {
  /** Characters a comment may have. */
  readonly limit: number;
  /** A line that readers do not see. */
  hide(marker: string): string;
  /** Who the token speaks for; undefined where that cannot be asked and only authors may change their comments. */
  who(): Promise<string | undefined>;
  /** Oldest first. */
  list(): Promise<readonly Comment[]>;
  /** Both give the comment's address, where there is one. */
  create(body: string): Promise<string | undefined>;
  update(comment: Comment, body: string): Promise<string | undefined>;
  sleep(milliseconds: number): Promise<void>;
}

const ATTEMPTS = 3;
/** So many of ours are kept up. */
const MAX_OURS = 5;

/** Other people's comments are never touched, whatever they begin with; several of ours, as two jobs at once make them, all say the same. */
export async function upsert(place: CommentPlace, marker: string, body: string): Promise<Written> {
  if (!/^[a-z0-9-]{1,64}$/.test(marker)) throw new Fault('bug', `"${marker}" cannot be a marker`);
  const beginning = place.hide(marker);
  const text = cutTo(`${beginning}\n\n${body.trim()}\n`, place.limit);
  const self = await place.who();
  for (let attempt = 1; ; attempt++) {
    const all = await place.list();
    const ours = all.filter((one) => one.body.startsWith(beginning) && (self === undefined || one.author === self));
    const changed = await change(place, ours, { text, sure: self !== undefined });
    if (changed) return changed;
    try {
      return written('created', await place.create(text));
    } catch (error) {
      // it may have been made all the same: look again before making another
      const unclear = error instanceof Fault && error.data.limited !== true && (statusOf(error) ?? 500) >= 500;
      if (!unclear || attempt >= ATTEMPTS) throw error;
      await place.sleep(1000 * attempt);
    }
  }
}

interface Wish {
  readonly text: string;
  /** The comments are known to be ours: being turned away is then about the token. */
  readonly sure: boolean;
}

async function change(
  place: CommentPlace,
  ours: readonly Comment[],
  { text, sure }: Wish,
): Promise<Written | undefined> {
  let first: Written | undefined;
  for (const comment of ours.slice(0, MAX_OURS)) {
    try {
      const now = sameText(comment.body, text)
        ? written('unchanged', comment.url)
        : written('updated', (await place.update(comment, text)) ?? comment.url);
      first ??= now;
    } catch (error) {
      const isGone = [404, 410].includes(statusOf(error) ?? 0);
      if (!isGone && (sure || !isRefusal(error)) && !first) throw error;
    }
    // whose the others are nobody knows
    if (first && !sure) break;
  }
  return first;
}

function written(how: 'created' | 'updated' | 'unchanged', url: string | undefined): Written {
  return { written: true, how, ...(url !== undefined && { url }) };
}

/** Forges keep or change line ends as they like. */
function sameText(a: string, b: string): boolean {
  return a.replaceAll('\r\n', '\n').trim() === b.replaceAll('\r\n', '\n').trim();
}

const CUT = '*Cut here: the whole report is among the files of the job.*\n';

/** Cut at the end of a line, with what was open closed again. */
export function cutTo(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const room = text.slice(0, limit - CUT.length - 200);
  const kept = room.slice(0, room.lastIndexOf('\n') + 1);
  const fences = kept.match(/^```/gm)?.length ?? 0;
  const open = (kept.match(/<details>/g)?.length ?? 0) - (kept.match(/<\/details>/g)?.length ?? 0);
  return `${kept}${fences % 2 ? '```\n' : ''}${'\n</details>\n'.repeat(Math.min(Math.max(open, 0), 10))}\n${CUT}`;
}

/** What most forges do not show. */
export const hideInHtml = (marker: string) => `<!-- ${marker} -->`;
