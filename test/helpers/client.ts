import { createServer, type Server } from 'node:http';
import * as route from '@/app/api/v1/[[...path]]/route';
import { runDeferred } from '@/src/api/deferred';
import { handleNodeRequest } from '@/src/rest/node';
import { throughFunctions } from '../serverless/front';
import { listen } from './listening';
import { after } from './next-server';

/** An answer, read to its end. `body` is the parsed JSON, undefined where there is none. */
export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
};

export type SendOptions = {
  key?: string;
  headers?: Record<string, string>;
  /** Serialised as JSON. */
  json?: unknown;
  /** Sent as it is. */
  raw?: BodyInit;
};

/**
 * Sends one request to the API through the real front: Next's route handlers, with TEST_FRONT=node
 * the socket server of the long-lived service, with TEST_FRONT=serverless the built function in
 * processes that do not stay. `path` is below `/api/v1`.
 */
export async function send(
  method: string,
  path: string,
  options: SendOptions = {},
): Promise<Answer> {
  const headers = new Headers(options.headers);
  if (options.key && !headers.has('authorization')) {
    headers.set('authorization', `Bearer ${options.key}`);
  }
  const body = 'json' in options ? JSON.stringify(options.json) : options.raw;
  if ('json' in options && !headers.has('content-type')) {
    headers.set('content-type', 'application/json');
  }
  const init = { method, headers, body, duplex: 'half' } satisfies RequestInit & { duplex: 'half' };
  const response = await throughFront(`/api/v1${path}`, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}

/** The API as the holder of one key sees it. */
export function client(key: string) {
  return {
    key,
    get: (path: string) => send('GET', path, { key }),
    post: (path: string, json: unknown) => send('POST', path, { key, json }),
    patch: (path: string, json: unknown) => send('PATCH', path, { key, json }),
    delete: (path: string) => send('DELETE', path, { key }),
  };
}

async function throughFront(path: string, init: RequestInit): Promise<Response> {
  switch (process.env.TEST_FRONT) {
    case 'node':
      return fetch(`${await nodeFront()}${path}`, init);
    case 'serverless':
      return throughFunctions(path, init);
    default:
      return throughRoute(new Request(`http://localhost${path}`, init));
  }
}

function throughRoute(request: Request): Promise<Response> {
  const handler = Object.entries(route).find(([name]) => name === request.method)?.[1];
  if (typeof handler !== 'function') throw new Error(`The route exports no ${request.method}`);
  return handler(request);
}

let front: { server: Server; port: Promise<number> } | undefined;

/** Where the socket server of the long-lived service listens in this process. */
export async function nodeFront(): Promise<string> {
  // The first requests may come at once.
  front ??= startNodeFront();
  return `http://127.0.0.1:${await front.port}`;
}

function startNodeFront() {
  const server = createServer((request, response) => {
    void handleNodeRequest(request, response, (task) => after(() => runDeferred(task)));
  });
  return { server, port: listen(server) };
}

export async function stopNodeFront(): Promise<void> {
  if (!front) return;
  await front.port;
  front.server.closeAllConnections();
  await new Promise((done) => front?.server.close(done));
  front = undefined;
}
