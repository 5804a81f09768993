import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Fault } from '../fault.ts';
import { type Door, openDoor, type Verdict } from './door.ts';
import { type Headers, headersFor } from './headers.ts';

/** Only ever this machine. */
const HOST = '127.0.0.1';
const MOST_CONNECTIONS = 64;

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** Of a page that brings its own. */
  readonly policy?: string;
  /** Where it is instead, on this server. */
  readonly location?: string;
}

export interface ServeOptions {
  /** 0: any that is free. */
  readonly port: number;
  /** Gives what was asked for; only those who may ask get here. */
  answer(url: URL): Promise<Answer>;
  /** A mistake of ours; whoever asked is only told that there was one. */
  onMistake(error: unknown): void;
}

export interface Served {
  readonly port: number;
  /** The address without its key. */
  readonly origin: string;
  readonly door: Door;
  close(): Promise<void>;
}

/** Answers on a port of this machine, until it is closed. */
export async function startServer({ port: wanted, answer, onMistake }: ServeOptions): Promise<Served> {
  let door: Door | undefined;
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, (request, response) => {
    // nobody has anything to tell us
    request.resume();
    if (!door) return void response.destroy();
    const verdict = door.decide(request);
    const exchange = { request, response, answer };
    reply(verdict, exchange).catch((error: unknown) => {
      onMistake(error);
      if (response.headersSent) response.destroy();
      else send(exchange, plainly(500, 'This is a mistake of ours; the terminal says more.'));
    });
  });
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(notListening(wanted, error)));
    server.listen(wanted, HOST, resolve);
  });
  const { port } = server.address() as AddressInfo;
  door = openDoor(port);
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port, origin: `http://${HOST}:${port}`, door, close };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly answer: ServeOptions['answer'];
}

async function reply(verdict: Verdict, exchange: Exchange): Promise<void> {
  switch (verdict.kind) {
    case 'refuse': {
      const more: Headers = verdict.allow ? { Allow: verdict.allow } : {};
      return send(exchange, plainly(verdict.status, verdict.why), { ...more, Connection: 'close' });
    }
    case 'redirect':
      return send(exchange, plainly(303, ''), { Location: verdict.to, 'Set-Cookie': verdict.cookie });
    case 'enter':
      return send(exchange, await exchange.answer(verdict.url));
  }
}

function plainly(status: number, said: string): Answer {
  return { status, type: 'text/plain; charset=utf-8', body: said === '' ? '' : `${said}\n` };
}

function send({ request, response }: Exchange, answer: Answer, more: Headers = {}): void {
  const bytes = Buffer.from(answer.body);
  const moved = answer.location === undefined ? {} : { Location: answer.location };
  const headers = { ...headersFor(answer.type, answer.policy), 'Content-Length': bytes.length, ...moved, ...more };
  response.writeHead(answer.status, headers);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function notListening(port: number, error: Error): Fault {
  const code = 'code' in error ? String(error.code) : error.message;
  const why = code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${code})`;
  return new Fault('surroundings', `Port ${port} of ${HOST} ${why}: name another one with --port.`);
}
