import { spawnSync } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import { disconnect } from '@/src/database/client';
import { env, parseEnv, provideEnv } from '@/src/env';
import { startTracing } from '@/src/tracing/start';
import { tracer } from '@/src/tracing/tracer';
import { type ScriptProcess, startService } from '../database/processes';
import { createTenant, minimalTestimonial } from '../helpers/accounts';
import { nodeFront } from '../helpers/client';
import { promised } from '../helpers/promised';
import { closeServers, serve } from '../outbound/servers';
import { type Collector, startCollector } from './collector';

let collector: Collector;
let script: ScriptProcess | undefined;
let stop: (() => Promise<void>) | undefined;

beforeEach(async () => {
  collector = await startCollector();
});

afterEach(async () => {
  await script?.kill();
  await stop?.();
  script = undefined;
  stop = undefined;
  provideEnv(untraced);
  await disconnect();
  await collector.close();
  await closeServers();
});

/** What the tests set. Variables that are empty count as not set. */
const untraced = {
  DATABASE_POOL_SIZE: env().DATABASE_POOL_SIZE.toString(),
  PUBLIC_URL: '',
  OTEL_SERVICE_NAME: '',
  OTEL_EXPORTER_OTLP_ENDPOINT: '',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: '',
  OTEL_EXPORTER_OTLP_HEADERS: '',
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: '',
};

/** Traces the socket server of the service, with connections that were opened for it. */
async function start(more: Partial<typeof untraced> = {}) {
  provideEnv({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`, ...more });
  await disconnect();
  // A crowded machine takes its time.
  const stopTracing = await startTracing(env(), { stopMs: 60_000 });
  stop = stopTracing;
  const front = await nodeFront();
  return {
    send: (path: string, key: string, init: RequestInit = {}) =>
      fetch(`${front}/api/v1${path}`, {
        ...init,
        headers: { authorization: key, ...init.headers },
      }),
    /** Ends it, and says what was traced. */
    traced: async () => {
      await stopTracing();
      return collector.spans;
    },
  };
}

const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`;

test('nothing is traced where no collector is named, or where it is switched off', async () => {
  const off = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  for (const settings of [
    {},
    { ...off, OTEL_SDK_DISABLED: 'true' },
    { ...off, OTEL_SDK_DISABLED: 'TRUE' },
    { ...off, OTEL_TRACES_EXPORTER: 'none' },
  ]) {
    await startTracing(parseEnv(settings));
    expect(tracer()).toBeUndefined();
  }
});

test('without a collector no part of OpenTelemetry is loaded', () => {
  const script = `
    const { parseEnv } = require('./src/env');
    require('./src/tracing/start').startTracing(parseEnv({})).then(() => {
      const loaded = Object.keys(require.cache);
      console.log(loaded.length > 0, loaded.filter((file) => /opentelemetry|otlp/.test(file)));
    });`;
  const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', '-e', script]);
  expect(String(stdout)).toBe('true []\n');
});

test('a request goes on in the trace of its caller, with its statements, and without any value', async () => {
  const { api, ...tenant } = await createTenant();
  const space = await tenant.space();
  const { send, traced } = await start({
    OTEL_SERVICE_NAME: 'reviews',
    PUBLIC_URL: 'https://reviews.example',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b',
  });
  const answer = await send('/testimonials', api.key, {
    method: 'POST',
    headers: { traceparent, 'content-type': 'application/json' },
    body: JSON.stringify({ ...minimalTestimonial(space.id), text_content: 'unrepeatable words' }),
  });
  expect(answer.status).toBe(201);
  const spans = await traced();
  const request = spans.find(({ name }) => name === 'POST /api/v1/testimonials');
  expect(request).toMatchObject({
    traceId: caller.traceId,
    parentSpanId: caller.spanId,
    service: 'reviews',
    hasFailed: false,
    facts: {
      'http.request.method': 'POST',
      'http.route': '/api/v1/testimonials',
      'url.scheme': 'https',
      'url.path': '/api/v1/testimonials',
      'server.address': 'reviews.example',
      'server.port': 443,
      'http.response.status_code': 201,
      'testimonials.request_id': answer.headers.get('x-request-id'),
    },
  });
  const statements = spans.filter(({ facts }) => facts['db.system.name'] === 'postgresql');
  expect(statements.length).toBeGreaterThan(1);
  for (const { traceId, parentSpanId } of statements) {
    expect([traceId, parentSpanId]).toEqual([caller.traceId, request?.spanId]);
  }
  const lengths = statements.map(({ facts }) => `${facts['db.query.text']}`.length);
  expect(Math.max(...lengths)).toBe(2_000);
  const everything = collector.received.join('\n');
  expect(everything).toMatch('"x-key":"a b"');
  expect(everything).not.toMatch('unrepeatable words');
  expect(everything).not.toMatch(api.key);
  expect(everything).not.toMatch(tenant.accountId);
});

test('what a request says of host, path and method is told within bounds, and no query', async () => {
  const { api } = await createTenant();
  const { send, traced } = await start();
  const words = 'x'.repeat(1000);
  await send(`/testimonials/${words}?search=unrepeatable`, api.key);
  await send('/unrepeatable', api.key, { method: 'PROPFIND' });
  const [one, other] = (await traced()).filter(({ facts }) => 'http.route' in facts);
  expect(one?.facts).toMatchObject({
    'url.scheme': 'http',
    'url.path': `/api/v1/testimonials/${words}`.slice(0, 256),
  });
  expect(one?.facts).not.toHaveProperty(['server.address']);
  expect(other).toMatchObject({
    name: 'HTTP /api/v1',
    facts: {
      'http.request.method': '_OTHER',
      'http.request.method_original': 'PROPFIND',
      'url.path': '/api/v1',
    },
  });
  expect(collector.received.join('\n')).not.toMatch('unrepeatable');
});

test('a path with escapes that it does not need is traced as the operation that answers it', async () => {
  const { api } = await createTenant();
  const { send, traced } = await start();
  expect((await send('/test%69monials', api.key)).status).toBe(200);
  const [span] = (await traced()).filter(({ facts }) => 'http.route' in facts);
  expect(span).toMatchObject({
    name: 'GET /api/v1/testimonials',
    facts: { 'http.route': '/api/v1/testimonials', 'url.path': '/api/v1/test%69monials' },
  });
});

test('what fails is told by its name, and never by its words', async () => {
  script = startService('../tracing/failing-process.ts', env().DATABASE_URL ?? '', collector.url);
  expect(await script.nextLine()).toMatch('unrepeatable words');
  const told = collector.spans.map(({ facts, hasFailed }) => [
    facts['db.query.text'],
    hasFailed,
    facts['error.type'],
  ]);
  const statement = 'SELECT $1::text::integer';
  expect(told).toEqual([
    [statement, true, 'error'],
    ['SELECT 1', false, undefined],
    [statement, true, 'error'],
    [undefined, true, 'error'],
  ]);
  expect(collector.received.join('\n')).not.toMatch('unrepeatable words');
});

test('requests that wait for one connection keep their statements to themselves', async () => {
  const { api } = await createTenant();
  const { send, traced } = await start({ DATABASE_POOL_SIZE: '1' });
  await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      send(`/testimonials?offset=${index}&status=pending`, api.key),
    ),
  );
  const spans = await traced();
  const requests = spans.filter(({ name }) => name === 'GET /api/v1/testimonials');
  expect(new Set(requests.map(({ traceId }) => traceId)).size).toBe(30);
  for (const { spanId, traceId } of requests) {
    const own = spans.filter((span) => span.parentSpanId === spanId);
    expect(own.length).toBeGreaterThan(0);
    expect(own.map((span) => span.traceId)).toEqual(own.map(() => traceId));
    // Of the list, each has its own.
    expect(
      own.some(({ facts }) => /testimonial_texts|testimonials/.test(`${facts['db.query.text']}`)),
    ).toBe(true);
  }
});

test('a header that is none begins a trace of its own, and a caller may want none', async () => {
  const { api } = await createTenant();
  const { send, traced } = await start();
  for (const header of [
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    `00-${caller.traceId}-0000000000000000-01`,
    'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    `00-${caller.traceId}-${caller.spanId}-00`,
  ]) {
    await send('/me', api.key, { headers: { traceparent: header } });
  }
  const requests = (await traced()).filter(({ name }) => name === 'GET /api/v1/me');
  expect(requests.map(({ parentSpanId }) => parentSpanId)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('what vendors say of the trace is passed on, but where it is longer than the standard asks for', async () => {
  const { api } = await createTenant();
  const { send, traced } = await start();
  for (const tracestate of ['short=kept', `long=${'x'.repeat(200)},more=${'y'.repeat(306)}`]) {
    await send('/me', api.key, { headers: { traceparent, tracestate } });
  }
  expect((await traced()).filter(({ name }) => name === 'GET /api/v1/me')).toHaveLength(2);
  const everything = collector.received.join('\n');
  expect(everything).toMatch('"traceState":"short=kept"');
  expect(everything).not.toMatch('xxx');
});

test('the address and the headers for traces go before those for all, and the address is taken as it is', async () => {
  const { api } = await createTenant();
  const { send, traced } = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/for-traces`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=for-all,x-team=reviews',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-key=for-traces',
  });
  await send('/me', api.key);
  expect((await traced()).map(({ name }) => name)).toContain('GET /api/v1/me');
  expect(collector.received[0]).toMatch(/^POST \/for-traces /);
  for (const header of ['"x-key":"for-traces"', '"x-team":"reviews"']) {
    expect(collector.received[0]).toMatch(header);
  }
});

test('the address for all may end in a slash', async () => {
  const { api } = await createTenant();
  const { send, traced } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` });
  await send('/me', api.key);
  await traced();
  expect(collector.received[0]).toMatch(/^POST \/v1\/traces /);
});

test('a collector that does not answer keeps nobody from stopping', async () => {
  const asked = promised<ServerResponse>();
  const left = jest.fn();
  const silent = createServer(({ method }, response) => {
    if (method === 'POST') asked.resolve(response.on('close', left));
    else response.end();
  });
  const url = `http://127.0.0.1:${await serve(silent)}`;
  const stopTracing = await startTracing(
    { ...env(), OTEL_EXPORTER_OTLP_ENDPOINT: url },
    { stopMs: 1 },
  );
  await (await fetch(`${await nodeFront()}/api/v1/me`)).text();
  await stopTracing();
  expect(tracer()).toBeUndefined();
  const answer = await asked.promise;
  // What came before this has been seen by then.
  await (await fetch(url)).text();
  expect(left).not.toHaveBeenCalled();
  answer.end('{}');
});
