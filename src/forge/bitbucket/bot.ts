import { isObject } from '../../json.ts';
import { type Bot, isRefusal, type Means, oneLine, STATUS_NAME, type Status, statusOf, unlessRefused } from '../bot.ts';
import { type Comment, type CommentPlace, upsert } from '../comment.ts';
import { authorization, type Client, openClient } from '../http.ts';
import { present, type Surroundings } from '../surroundings.ts';

const HINT = 'the token needs the scopes pullrequest:write and repository:write';

export function openBitbucket(at: Surroundings, secret: string, means: Means): Bot {
  const client = openClient({ api: at.api, headers: authorization(at.token.kind, secret), secret, ...means });
  const repository = `/repositories/${at.repository.split('/').map(encodeURIComponent).join('/')}`;
  const number = at.change?.number;
  return {
    async upsertComment(marker, body) {
      if (number === undefined) return { written: false, why: 'there is no pull request to comment on' };
      const place = comments(client, `${repository}/pullrequests/${number}/comments`, means);
      return unlessRefused(HINT, () => upsert(place, marker, body));
    },
    setStatus: (status) =>
      unlessRefused(HINT, async () => {
        const commit = `${repository}/commit/${at.commit}`;
        await putReport(client, commit, status);
        await client.send('POST', `${commit}/statuses/build`, buildOf(at, status), 'again');
        return { written: true, how: 'created' };
      }),
  };
}

/** https://developer.atlassian.com/cloud/bitbucket/rest/api-group-pullrequests/ */
function comments(client: Client, path: string, { sleep }: Means): CommentPlace {
  return {
    limit: 32_000,
    // no HTML here: the definition of a link that nobody uses is what is not shown
    hide: (marker) => `[//]: # (${marker})`,
    sleep,
    who: () => whoIs(client),
    list: async () => (await client.list(`${path}?pagelen=100&sort=created_on`)).flatMap(commentOf),
    create: async (raw) => addressOf(await client.send('POST', path, { content: { raw } })),
    update: async ({ id }, raw) => addressOf(await client.send('PUT', `${path}/${id}`, { content: { raw } })),
  };
}

/** Access tokens of a repository may not ask; only its author may change a comment, so trying tells. */
async function whoIs(client: Client): Promise<string | undefined> {
  try {
    const user = await client.get('/user');
    return isObject(user) && typeof user.uuid === 'string' ? user.uuid : undefined;
  } catch (error) {
    if (isRefusal(error) || statusOf(error) === 401) return undefined;
    throw error;
  }
}

function commentOf(value: unknown): Comment[] {
  if (!isObject(value) || value.deleted === true || value.inline || !isObject(value.content)) return [];
  const author = isObject(value.user) ? String(value.user.uuid) : '';
  const { raw } = value.content;
  if (typeof value.id !== 'number' || typeof raw !== 'string') return [];
  return [{ id: String(value.id), author, body: raw, ...present({ url: addressOf(value) }) }];
}

function addressOf(value: unknown): string | undefined {
  const html = isObject(value) && isObject(value.links) ? value.links.html : undefined;
  return isObject(html) && typeof html.href === 'string' ? html.href : undefined;
}

/** The limits of https://developer.atlassian.com/cloud/bitbucket/rest/api-group-reports/ */
const MAX_ANNOTATIONS = 1000;
const BATCH = 100;
const SEVERITIES = { notice: 'LOW', warning: 'MEDIUM', failure: 'HIGH' } as const;

async function putReport(client: Client, commit: string, { state, title, annotations }: Status): Promise<void> {
  const path = `${commit}/reports/${STATUS_NAME}`;
  const result = state === 'failure' ? 'FAILED' : 'PASSED';
  const report = {
    title: STATUS_NAME,
    details: oneLine(title, 2000),
    report_type: 'BUG',
    reporter: STATUS_NAME,
    result,
  };
  await client.send('PUT', path, report);
  const all = annotations.slice(0, MAX_ANNOTATIONS).map((one, i) => ({
    external_id: `${STATUS_NAME}-${i + 1}`,
    annotation_type: 'CODE_SMELL',
    summary: oneLine(one.message, 450),
    severity: SEVERITIES[one.level],
    path: one.path,
    line: one.startLine,
  }));
  for (let at = 0; at < all.length; at += BATCH) {
    await client.send('POST', `${path}/annotations`, all.slice(at, at + BATCH), 'again');
  }
}

/** The same key again overwrites; an address is required. */
function buildOf(at: Surroundings, { state, title }: Status) {
  return {
    key: STATUS_NAME,
    name: STATUS_NAME,
    state: state === 'failure' ? 'FAILED' : 'SUCCESSFUL',
    description: oneLine(title, 255),
    url: at.run?.url ?? `https://bitbucket.org/${at.repository}`,
  };
}
