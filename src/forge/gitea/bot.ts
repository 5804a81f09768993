import { isObject } from '../../json.ts';
import { type Bot, isRefusal, type Means, oneLine, STATUS_NAME, statusOf, unlessRefused } from '../bot.ts';
import { type Comment, type CommentPlace, hideInHtml, upsert } from '../comment.ts';
import { authorization, type Client, openClient } from '../http.ts';
import { present, type Surroundings } from '../surroundings.ts';

const HINT = 'the token needs write access to issues, and for statuses to the repository; that of a fork is read-only';

/** Gitea and Forgejo: the same paths, described by each server at /api/swagger. */
export function openGitea(at: Surroundings, secret: string, means: Means): Bot {
  const headers = at.token.kind === 'basic' ? authorization('basic', secret) : { authorization: `token ${secret}` };
  const client = openClient({ api: at.api, headers, secret, ...means });
  const repository = `/repos/${at.repository.split('/').map(encodeURIComponent).join('/')}`;
  const number = at.change?.number;
  return {
    async upsertComment(marker, body) {
      if (number === undefined) return { written: false, why: 'there is no pull request to comment on' };
      const place = comments(client, { repository, number }, means);
      return unlessRefused(HINT, () => upsert(place, marker, body));
    },
    setStatus: ({ state, title }) =>
      unlessRefused(HINT, async () => {
        const status = {
          state: state === 'failure' ? 'failure' : 'success',
          context: STATUS_NAME,
          description: oneLine(title, 255),
          ...present({ target_url: at.run?.url }),
        };
        await client.send('POST', `${repository}/statuses/${at.commit}`, status, 'again');
        return { written: true, how: 'created' };
      }),
  };
}

interface Place {
  readonly repository: string;
  readonly number: number;
}

function comments(client: Client, { repository, number }: Place, { sleep }: Means): CommentPlace {
  const path = `${repository}/issues/${number}/comments`;
  return {
    limit: 60_000,
    hide: hideInHtml,
    sleep,
    who: () => whoIs(client),
    // all at once: this list has no pages
    list: async () => (await client.list(path)).flatMap(commentOf),
    create: async (body) => addressOf(await client.send('POST', path, { body })),
    update: async ({ id }, body) =>
      addressOf(await client.send('PATCH', `${repository}/issues/comments/${id}`, { body })),
  };
}

/** The token of a job belongs to nobody who could be asked for: its comments are those of a user with a negative number. */
const OF_ACTIONS = '-2';

async function whoIs(client: Client): Promise<string> {
  try {
    const user = await client.get('/user');
    return isObject(user) ? String(user.id) : OF_ACTIONS;
  } catch (error) {
    if (isRefusal(error) || statusOf(error) === 401) return OF_ACTIONS;
    throw error;
  }
}

function commentOf(value: unknown): Comment[] {
  if (!isObject(value) || !isObject(value.user)) return [];
  const { id, body } = value;
  if (typeof id !== 'number' || typeof body !== 'string') return [];
  return [{ id: String(id), author: String(value.user.id), body, ...present({ url: addressOf(value) }) }];
}

function addressOf(value: unknown): string | undefined {
  return isObject(value) && typeof value.html_url === 'string' ? value.html_url : undefined;
}
