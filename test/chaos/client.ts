/** HTTP over connections that are kept, as most clients of an API do it. */
import { Agent, request as httpRequest } from 'node:http';

export type Answer = {
  /** 0 where none came. */
  status: number;
  text: string;
  headers: Record<string, string | string[] | undefined>;
  /** Why none came: a code such as ECONNRESET. */
  failure?: string;
  startedAt: number;
  endedAt: number;
};

export type RequestOptions = {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  timeoutMs?: number;
};

export type Client = {
  /** Never throws. */
  send(options: RequestOptions): Promise<Answer>;
  close(): void;
};

const defaultTimeoutMs = 20_000;

/** `port` is asked for each time, for a service that is started again has another. */
export function createClient(port: () => number, localAddress = '127.0.0.1'): Client {
  const agent = new Agent({ keepAlive: true });
  return {
    send: ({ method = 'GET', path, headers = {}, body, timeoutMs = defaultTimeoutMs }) =>
      new Promise((resolve) => {
        const startedAt = performance.now();
        const bytes = body === undefined ? undefined : JSON.stringify(body);
        const end = (answer: Pick<Answer, 'status'> & Partial<Answer>) => {
          clearTimeout(deadline);
          resolve({ text: '', headers: {}, ...answer, startedAt, endedAt: performance.now() });
        };
        const request = httpRequest(
          {
            host: '127.0.0.1',
            port: port(),
            method,
            path,
            agent,
            localAddress,
            headers: {
              ...(bytes !== undefined && {
                'content-type': 'application/json',
                'content-length': String(Buffer.byteLength(bytes)),
              }),
              ...headers,
            },
          },
          (response) => {
            let text = '';
            response.setEncoding('utf8');
            response.on('data', (chunk) => {
              text += chunk;
            });
            response.on('end', () =>
              end({ status: response.statusCode ?? 0, text, headers: response.headers }),
            );
            response.on('error', (error) => end({ status: 0, failure: codeOf(error) }));
          },
        );
        const deadline = setTimeout(
          () => request.destroy(Object.assign(new Error(), { code: 'LATE' })),
          timeoutMs,
        );
        request.on('error', (error) => end({ status: 0, failure: codeOf(error) }));
        request.end(bytes);
      }),
    close: () => agent.destroy(),
  };
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.message;
}
