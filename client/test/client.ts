import { createTenant, type Tenant } from '@/test/helpers/accounts';
import { nodeFront } from '@/test/helpers/client';
import { Testimonials, type TestimonialsOptions } from '../src/index.ts';

type Fetch = NonNullable<TestimonialsOptions['fetch']>;

/** A request as the client sent it. */
type Sent = { method: string; url: URL; headers: Headers; body: unknown };

/** What becomes of a request: null is sent on to the service. */
type Fault = (sent: Sent, send: () => Promise<Response>) => Promise<Response> | null;

/**
 * A client of a new account that talks to the real service, through faults that are used up one
 * by one. Its time passes only by waiting, and it waits without taking time.
 */
export async function createClient(options: Partial<TestimonialsOptions> = {}) {
  const tenant: Tenant = await createTenant();
  const sent: Sent[] = [];
  const faults: Fault[] = [];
  const waits: number[] = [];
  let now = Date.now();
  const fetchFaulty: Fetch = (url, init) => {
    const request = {
      method: String(init.method),
      url: new URL(url),
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    };
    sent.push(request);
    const send = () => fetch(url, init);
    return faults.shift()?.(request, send) ?? send();
  };
  const api = new Testimonials({
    apiKey: tenant.api.key,
    baseUrl: `${await nodeFront()}/api/v1`,
    fetch: fetchFaulty,
    now: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      waits.push(ms);
      now += ms;
    },
    random: () => 1,
    ...options,
  });
  return { api, tenant, sent, faults, waits };
}

/** The request gets there, and its answer does not come back. */
export const loseAnswer: Fault = async (_, send) => {
  await (await send()).arrayBuffer();
  throw new TypeError('fetch failed');
};

/** The request does not get there. */
export const refuseConnection: Fault = async () => {
  throw new TypeError('fetch failed');
};

/** Something else answers. */
export const answer =
  (status: number, headers: Record<string, string> = {}, body: BodyInit | null = null): Fault =>
  async () =>
    new Response(body, { status, headers });

/** An answer begins, and the connection is lost. */
export const breakOff = (status: number, headers: Record<string, string>): Fault =>
  answer(
    status,
    headers,
    new ReadableStream({ pull: (body) => body.error(new TypeError('lost')) }),
  );

/** An error of the service that is hard to bring about. */
export const refuse = (status: number, code: string, headers: Record<string, string> = {}): Fault =>
  answer(status, headers, JSON.stringify({ error: { code, message: 'Not now.' } }));

/** What a promise rejects with. */
export async function failure(promise: PromiseLike<unknown>): Promise<unknown> {
  return promise.then(
    () => new Error('It did not fail'),
    (error: unknown) => error,
  );
}
