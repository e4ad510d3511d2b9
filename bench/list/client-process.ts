/**
 * The client in a process of its own, so that what it costs is not counted as the server's. Run as
 * a script it is that process.
 */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Agent, request as send } from 'node:http';
import { percentile } from '../report';

export type LoadRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Each time it is sent, it carries an Idempotency-Key that was never used. */
  isKeyed?: boolean;
  /** A UUID in the body, which is another each time it is sent. */
  unique?: string;
  /** What it must be answered with. */
  status: number;
};

type Load = {
  origin: string;
  /** Sent in turn, again and again. */
  requests: LoadRequest[];
  concurrency: number;
  seconds?: number;
  /** Instead of seconds. */
  count?: number;
  /** Whether the same request must always get the same body. */
  isStable: boolean;
};

/** Latencies in milliseconds. */
export type LoadResult = { count: number; seconds: number; p50: number; p99: number };

export type LoadClient = { run(load: Load): Promise<LoadResult>; close(): void };

/** @throws from `run`, where an answer has another status, or another body than it had before */
export function startClient(): LoadClient {
  const child = fork(__filename, { execArgv: ['--import', 'tsx'] });
  return {
    run: (load) =>
      new Promise((resolve, reject) => {
        child.once('message', (result: LoadResult | { failure: string }) => {
          if ('failure' in result) reject(new Error(result.failure));
          else resolve(result);
        });
        child.send(load);
      }),
    close: () => child.disconnect(),
  };
}

async function drive(load: Load): Promise<LoadResult> {
  const { requests, concurrency, count = Number.POSITIVE_INFINITY } = load;
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const bodies = new Map<LoadRequest, Buffer>();
  const latencies: number[] = [];
  const begun = performance.now();
  const deadline = begun + (load.seconds ?? Number.POSITIVE_INFINITY) * 1000;
  let sent = 0;
  const work = async () => {
    while (sent < count && performance.now() < deadline) {
      const request = requests[sent++ % requests.length];
      if (!request) throw new Error('There are no requests to send');
      const sentAt = performance.now();
      const body = await exchange(agent, load.origin, request);
      latencies.push(performance.now() - sentAt);
      if (load.isStable) checkBody(bodies, request, body);
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, work));
  } finally {
    agent.destroy();
  }
  return {
    count: latencies.length,
    seconds: (performance.now() - begun) / 1000,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  };
}

function exchange(agent: Agent, origin: string, request: LoadRequest): Promise<Buffer> {
  const { method, path, isKeyed, unique, status } = request;
  const body = unique ? request.body?.replaceAll(unique, randomUUID()) : request.body;
  const key = isKeyed && { 'idempotency-key': randomUUID() };
  const headers = { ...request.headers, ...key };
  return new Promise((resolve, reject) => {
    const sending = send(origin + path, { agent, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
        if (response.statusCode === status) resolve(body);
        else reject(failure(request, `${response.statusCode} ${body.toString().slice(0, 300)}`));
      });
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

function checkBody(bodies: Map<LoadRequest, Buffer>, request: LoadRequest, body: Buffer): void {
  const earlier = bodies.get(request);
  if (!earlier) bodies.set(request, body);
  else if (!earlier.equals(body)) throw failure(request, 'another body than before');
}

function failure({ method, path }: LoadRequest, what: string): Error {
  return new Error(`${method} ${path} was answered with ${what}`);
}

if (require.main === module) {
  process.on('message', (load: Load) => {
    drive(load).then(
      (result) => process.send?.(result),
      (error: unknown) => process.send?.({ failure: String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
}
