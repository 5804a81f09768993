import { execFileSync, spawn } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

export interface GitServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the repositories below a folder as git itself does over http: `git http-backend` behind a bare server. */
export async function serveGit(root: string): Promise<GitServer> {
  const backend = path.join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend');
  const server = http.createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    const child = spawn(backend, {
      env: {
        ...process.env,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        REQUEST_METHOD: request.method ?? 'GET',
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      },
    });
    request.pipe(child.stdin);
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    child.on('close', () => answer(Buffer.concat(parts), response));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((done) => server.close(() => done()).closeAllConnections()),
  };
}

/** CGI: headers, a blank line, the body. */
function answer(out: Buffer, response: http.ServerResponse): void {
  const end = out.indexOf('\r\n\r\n');
  for (const header of out.toString('latin1', 0, Math.max(end, 0)).split('\r\n')) {
    const [name = '', value = ''] = header.split(/: */, 2);
    if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
    else if (name) response.setHeader(name, value);
  }
  response.end(out.subarray(end + 4));
}
