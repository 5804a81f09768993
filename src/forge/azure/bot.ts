import { isObject } from '../../json.ts';
import { type Bot, type Means, oneLine, STATUS_NAME, unlessRefused } from '../bot.ts';
import { type Comment, type CommentPlace, hideInHtml, upsert } from '../comment.ts';
import { authorization, type Client, openClient } from '../http.ts';
import { present, type Surroundings } from '../surroundings.ts';

const HINT = 'the build service needs "Contribute to pull requests" in the settings of the repository';
const VERSION = 'api-version=7.1';

export function openAzure(at: Surroundings, secret: string, means: Means): Bot {
  const client = openClient({ api: at.api, headers: shown(at, secret), secret, ...means });
  const [project = '', repository = ''] = at.repository.split('/').map(encodeURIComponent);
  const number = at.change?.number;
  const pull = `/${project}/_apis/git/repositories/${repository}/pullRequests/${number}`;
  const why = 'there is no pull request to write to';
  return {
    async upsertComment(marker, body) {
      if (number === undefined) return { written: false, why };
      return unlessRefused(HINT, () => upsert(threads(client, pull, means), marker, body));
    },
    async setStatus({ state, title }) {
      if (number === undefined) return { written: false, why };
      const status = {
        state: state === 'failure' ? 'failed' : 'succeeded',
        description: oneLine(title, 255),
        context: { name: STATUS_NAME, genre: 'git' },
        ...present({ targetUrl: at.run?.url }),
      };
      return unlessRefused(HINT, async () => {
        await client.send('POST', `${pull}/statuses?${VERSION}`, status, 'again');
        return { written: true, how: 'created' };
      });
    },
  };
}

/** A person's token is a password without a name. */
function shown({ token }: Surroundings, secret: string) {
  return token.kind === 'private' ? authorization('basic', `:${secret}`) : authorization(token.kind, secret);
}

/** https://learn.microsoft.com/rest/api/azure/devops/git/pull-request-threads: a comment is the first of a thread. */
function threads(client: Client, pull: string, { sleep }: Means): CommentPlace {
  return {
    limit: 150_000,
    hide: hideInHtml,
    sleep,
    async who() {
      const data = await client.get('/_apis/connectionData');
      return isObject(data) && isObject(data.authenticatedUser) ? String(data.authenticatedUser.id) : 'nobody';
    },
    list: async () => (await client.list(`${pull}/threads?${VERSION}`)).flatMap(firstOf),
    async create(content) {
      // closed: a report is nothing that somebody has to resolve
      const comments = [{ parentCommentId: 0, content, commentType: 'text' }];
      await client.send('POST', `${pull}/threads?${VERSION}`, { comments, status: 'closed' });
      return undefined;
    },
    async update({ id }, content) {
      await client.send('PATCH', `${pull}/threads/${id}?${VERSION}`, { content });
      return undefined;
    },
  };
}

function firstOf(thread: unknown): Comment[] {
  if (!isObject(thread) || thread.isDeleted === true || !Array.isArray(thread.comments)) return [];
  const first: unknown = thread.comments[0];
  if (!isObject(first) || first.isDeleted === true || !isObject(first.author)) return [];
  if (typeof thread.id !== 'number' || typeof first.id !== 'number' || typeof first.content !== 'string') return [];
  return [{ id: `${thread.id}/comments/${first.id}`, author: String(first.author.id), body: first.content }];
}
