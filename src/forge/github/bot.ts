import { isObject } from '../../json.ts';
import {
  type Bot,
  isRefusal,
  type Means,
  oneLine,
  STATUS_NAME,
  type Status,
  unlessRefused,
  type Written,
} from '../bot.ts';
import { type Comment, type CommentPlace, cutTo, hideInHtml, upsert } from '../comment.ts';
import { present, type Surroundings } from '../surroundings.ts';
import { type Line, openLine } from './line.ts';

const HINT = "the job needs permissions: pull-requests: write, checks: write; a fork's token is read-only";

export async function openGithub(at: Surroundings, secret: string, means: Means): Promise<Bot> {
  const line = await openLine({ api: at.api, secret, means });
  const [owner = '', repo = ''] = at.repository.split('/');
  const place: Place = { line, owner, repo };
  const number = at.change?.number;
  return {
    async upsertComment(marker, body) {
      if (number === undefined) return { written: false, why: 'there is no pull request to comment on' };
      return unlessRefused(HINT, () => upsert(comments(place, number, means), marker, body));
    },
    setStatus: (status) => unlessRefused(HINT, () => checkOrStatus(place, at, { status, means })),
  };
}

interface Place {
  readonly line: Line;
  readonly owner: string;
  readonly repo: string;
}

function comments({ line, owner, repo }: Place, number: number, means: Means): CommentPlace {
  return {
    limit: 65_536,
    hide: hideInHtml,
    sleep: means.sleep,
    who: () => whoIs(line, means),
    async list() {
      const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
      return (await line.list(route, { owner, repo, issue_number: number, per_page: 100 })).flatMap(commentOf);
    },
    async create(body) {
      const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments';
      return addressOf(await line.send(route, { owner, repo, issue_number: number, body }));
    },
    async update({ id }, body) {
      const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}';
      return addressOf(await line.send(route, { owner, repo, comment_id: Number(id), body }));
    },
  };
}

/** Tokens of apps, and so of Actions, may not ask `GET /user`; what they may ask is who is looking. */
async function whoIs(line: Line, { log }: Means): Promise<string> {
  try {
    const login = await line.viewer();
    if (login) return login;
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  log('GitHub does not say whose token this is: taken for that of GitHub Actions');
  return 'github-actions[bot]';
}

function commentOf(value: unknown): Comment[] {
  if (!isObject(value) || !isObject(value.user)) return [];
  const { id, body } = value;
  if (typeof id !== 'number' || typeof body !== 'string') return [];
  return [{ id: String(id), author: String(value.user.login), body, ...present({ url: addressOf(value) }) }];
}

function addressOf(value: unknown): string | undefined {
  return isObject(value) && typeof value.html_url === 'string' ? value.html_url : undefined;
}

interface Saying {
  readonly status: Status;
  readonly means: Means;
}

/** Only apps may make check runs: a person's token gets 403, and sets a plain status instead. */
async function checkOrStatus(place: Place, at: Surroundings, { status, means }: Saying): Promise<Written> {
  try {
    return await makeCheck(place, at, status);
  } catch (error) {
    if (!isRefusal(error) || !(error instanceof Error)) throw error;
    means.log(`no check run (${error.message}): a commit status instead`);
    return setCommitStatus(place, at, status);
  }
}

/** GitHub takes this many annotations in one request; those of later requests are added. */
const BATCH = 50;
const MAX_ANNOTATIONS = 1000;

async function makeCheck({ line, owner, repo }: Place, at: Surroundings, status: Status): Promise<Written> {
  const { state, title, annotations } = status;
  const all = annotations.slice(0, MAX_ANNOTATIONS).map((one) => ({
    path: one.path,
    start_line: one.startLine,
    end_line: one.endLine,
    annotation_level: one.level,
    message: one.message.slice(0, 16_000),
  }));
  const output = { title: oneLine(title, 255), summary: cutTo(status.summary, 65_535) };
  const check = await line.again('POST /repos/{owner}/{repo}/check-runs', {
    owner,
    repo,
    name: STATUS_NAME,
    head_sha: at.commit,
    status: 'completed',
    conclusion: state,
    ...present({ details_url: at.run?.url }),
    output: { ...output, annotations: all.slice(0, BATCH) },
  });
  const id = isObject(check) && typeof check.id === 'number' ? check.id : 0;
  for (let from = BATCH; from < all.length; from += BATCH) {
    const more = { ...output, annotations: all.slice(from, from + BATCH) };
    // repeated when the server fails: a remark that is there twice is better than one that is lost
    await line.send('PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}', {
      owner,
      repo,
      check_run_id: id,
      output: more,
    });
  }
  return { written: true, how: 'created', ...present({ url: addressOf(check) }) };
}

async function setCommitStatus({ line, owner, repo }: Place, at: Surroundings, status: Status): Promise<Written> {
  await line.again('POST /repos/{owner}/{repo}/statuses/{sha}', {
    owner,
    repo,
    sha: at.commit,
    state: status.state === 'failure' ? 'failure' : 'success',
    context: STATUS_NAME,
    description: oneLine(status.title, 140),
    ...present({ target_url: at.run?.url }),
  });
  return { written: true, how: 'created' };
}
