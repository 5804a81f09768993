import { type Asked, pageOf, type Said } from './server.ts';

export const HEAD = 'b'.repeat(40);

interface Stored {
  id: number;
  body: string;
  user: { login: string };
  html_url: string;
}

/** What the token may do: of Actions with write permission, of Actions read-only, of a person. */
const TOKENS: Readonly<Record<string, string>> = {
  writer: 'github-actions[bot]',
  reader: 'github-actions[bot]',
  person: 'ada',
};

/** https://docs.github.com/rest: issue comments, check runs, commit statuses. */
export function github() {
  const comments: Stored[] = [];
  const checks: { id: number; annotations: unknown[]; body: Record<string, unknown> }[] = [];
  const statuses: Record<string, unknown>[] = [];
  const answer = (asked: Asked, url: string): Said => {
    const token = /^(?:token|bearer) (\w+)$/i.exec(asked.headers.authorization ?? '')?.[1] ?? '';
    const login = TOKENS[token];
    if (!login) return { status: 401, body: { message: 'Bad credentials' } };
    if (!asked.headers['user-agent']) return { status: 403, body: { message: 'User-Agent required' } };
    if (asked.path === '/graphql') return { status: 200, body: { data: { viewer: { login } } } };
    if (!asked.path.startsWith('/repos/ada/engine/')) return { status: 404, body: { message: 'Not Found' } };
    if (asked.method !== 'GET' && token === 'reader') {
      return { status: 403, body: { message: 'Resource not accessible by integration' } };
    }
    return carryOut(asked, url, login);
  };
  /** A server that has gone wrong says of every page that another one follows. */
  const faults = { endless: false };
  const carryOut = ({ method, path, query, body }: Asked, url: string, login: string): Said => {
    const route = `${method} ${path.slice('/repos/ada/engine'.length)}`;
    if (route === 'GET /issues/7/comments' && faults.endless) {
      return { status: 200, body: [], headers: { link: `<${url}${path}?page=2>; rel="next"` } };
    }
    if (route === 'GET /issues/7/comments') {
      const size = Math.min(Number(query.get('per_page') ?? 30), 100);
      const { items, next } = pageOf(comments, query, size);
      const link = `<${url}${path}?per_page=${size}&page=${next}>; rel="next", <${url}${path}?page=9>; rel="last"`;
      return { status: 200, body: items, ...(next && { headers: { link } }) };
    }
    if (route.includes('comments') && String(body.body).length > 65_536)
      return { status: 422, body: { message: 'too long' } };
    if (route === 'POST /issues/7/comments') {
      const id = comments.length + 1;
      comments.push({ id, body: String(body.body), user: { login }, html_url: `${url}/ada/engine/pull/7#c${id}` });
      return { status: 201, body: comments.at(-1) };
    }
    const changed = /^PATCH \/issues\/comments\/(\d+)$/.exec(route);
    if (changed) {
      const found = comments.find(({ id }) => id === Number(changed[1]));
      if (!found) return { status: 404, body: { message: 'Not Found' } };
      found.body = String(body.body);
      return { status: 200, body: found };
    }
    return checksAndStatuses(route, body, login);
  };
  const checksAndStatuses = (route: string, body: Asked['body'], login: string): Said => {
    const output = body?.output as { annotations: unknown[]; title: string; summary: string } | undefined;
    if (output && output.annotations.length > 50) return { status: 422, body: { message: 'too many annotations' } };
    if (route === 'POST /check-runs') {
      if (login === 'ada') return { status: 403, body: { message: 'You must authenticate via a GitHub App.' } };
      if (body.status !== 'completed' || !body.conclusion || !output?.title || !output.summary) return { status: 422 };
      checks.push({ id: checks.length + 1, annotations: [...output.annotations], body });
      return { status: 201, body: { id: checks.length, html_url: 'https://github.com/ada/engine/runs/1' } };
    }
    const more = /^PATCH \/check-runs\/(\d+)$/.exec(route);
    if (more && output) {
      checks[Number(more[1]) - 1]?.annotations.push(...output.annotations);
      return { status: 200, body: { id: Number(more[1]) } };
    }
    if (route === `POST /statuses/${HEAD}`) {
      if (String(body.description).length > 140) return { status: 422, body: { message: 'description is too long' } };
      statuses.push(body);
      return { status: 201, body: {} };
    }
    return { status: 404, body: { message: 'Not Found' } };
  };
  return { faults, comments, checks, statuses, answer };
}
