import { isObject } from '../../json.ts';
import { type Bot, type Means, muteBot, oneLine, STATUS_NAME, type Status, unlessRefused } from '../bot.ts';
import { type Comment, type CommentPlace, hideInHtml, upsert } from '../comment.ts';
import { authorization, type Client, openClient } from '../http.ts';
import { present, type Surroundings } from '../surroundings.ts';

const HINT = 'the token needs the scope api and the role Reporter; for statuses Developer';

export function openGitlab(at: Surroundings, secret: string, means: Means): Bot {
  // https://docs.gitlab.com/ci/jobs/ci_job_token/ lists what it can reach: notes and statuses are not in it
  if (at.token.kind === 'job') {
    return muteBot(
      'CI_JOB_TOKEN cannot write comments or statuses: set GITLAB_TOKEN to an access token with the scope api',
    );
  }
  const client = openClient({ api: at.api, headers: authorization(at.token.kind, secret), secret, ...means });
  const project = `/projects/${encodeURIComponent(at.repository)}`;
  const number = at.change?.number;
  return {
    async upsertComment(marker, body) {
      if (number === undefined) return { written: false, why: 'there is no merge request to comment on' };
      const place = notes(client, `${project}/merge_requests/${number}/notes`, means);
      return unlessRefused(HINT, () => upsert(place, marker, body));
    },
    setStatus: (status) =>
      unlessRefused(HINT, async () => {
        await client.send('POST', `${project}/statuses/${at.commit}`, statusOf(at, status), 'again');
        return { written: true, how: 'created' };
      }),
  };
}

/** https://docs.gitlab.com/api/notes/#merge-requests */
function notes(client: Client, path: string, { sleep }: Means): CommentPlace {
  return {
    limit: 1_000_000,
    hide: hideInHtml,
    sleep,
    async who() {
      const user = await client.get('/user');
      return isObject(user) ? String(user.id) : 'nobody';
    },
    async list() {
      const found = await client.list(`${path}?per_page=100&order_by=created_at&sort=asc`);
      return found.flatMap(noteOf);
    },
    async create(body) {
      await client.send('POST', path, { body });
      return undefined;
    },
    async update({ id }, body) {
      await client.send('PUT', `${path}/${id}`, { body });
      return undefined;
    },
  };
}

function noteOf(value: unknown): Comment[] {
  if (!isObject(value) || value.system === true || !isObject(value.author)) return [];
  const { id, body } = value;
  return typeof id === 'number' && typeof body === 'string'
    ? [{ id: String(id), author: String(value.author.id), body }]
    : [];
}

/** https://docs.gitlab.com/api/commits/#set-commit-pipeline-status */
function statusOf(at: Surroundings, { state, title }: Status) {
  return {
    state: state === 'failure' ? 'failed' : 'success',
    name: STATUS_NAME,
    description: oneLine(title, 255),
    ...present({ target_url: at.run?.url, pipeline_id: at.run?.id === undefined ? undefined : Number(at.run.id) }),
  };
}
