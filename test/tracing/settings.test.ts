import { parseEnv } from '@/src/env';
import { startTracing } from '@/src/tracing/start';
import { tracer } from '@/src/tracing/tracer';
import { type Collector, startCollector } from './collector';

let collector: Collector;

beforeEach(async () => {
  collector = await startCollector();
});

afterEach(() => collector.close());

type Settings = Parameters<typeof parseEnv>[0];

const callers = ['traced', 'untraced', 'none'] as const;

const headers = {
  traced: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
  untraced: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00' },
  none: {},
};

/** The requests that are traced, of callers whose own trace is taken, whose is not, and that have none. */
async function traced(settings: Settings): Promise<string[]> {
  const { url: OTEL_EXPORTER_OTLP_ENDPOINT } = collector;
  const env = parseEnv({ OTEL_EXPORTER_OTLP_ENDPOINT, ...settings });
  // A crowded machine takes its time.
  const stop = await startTracing(env, { stopMs: 60_000 });
  for (const caller of callers) await tracer()?.serve(headers[caller], caller, async () => {});
  await stop();
  return collector.spans.map(({ name }) => name);
}

const own = (OTEL_TRACES_SAMPLER: string, OTEL_TRACES_SAMPLER_ARG?: string): Settings => ({
  OTEL_TRACES_SAMPLER,
  ...(OTEL_TRACES_SAMPLER_ARG && { OTEL_TRACES_SAMPLER_ARG }),
});

test.each<[Settings, string[]]>([
  [{}, ['traced', 'none']],
  [own('always_on'), ['traced', 'untraced', 'none']],
  [own('always_off'), []],
  [own('traceidratio', '0'), []],
  [own('traceidratio', '1'), ['traced', 'untraced', 'none']],
  [own('parentbased_always_on'), ['traced', 'none']],
  [own('parentbased_always_off'), ['traced']],
  [own('parentbased_traceidratio', '0'), ['traced']],
  [own('parentbased_traceidratio', '1'), ['traced', 'none']],
])(
  'with %j the sampler takes what it says, by its caller where it is to',
  async (settings, names) => {
    expect(await traced(settings)).toEqual(names);
  },
);

test.each<[string, Settings]>([
  ['testimonials', {}],
  ['a b', { OTEL_RESOURCE_ATTRIBUTES: 'service.name=a%20b' }],
  ['own', { OTEL_SERVICE_NAME: 'own', OTEL_RESOURCE_ATTRIBUTES: 'service.name=other' }],
])('the service is called %s with %j', async (name, settings) => {
  await traced(settings);
  expect(new Set(collector.spans.map(({ service }) => service))).toEqual(new Set([name]));
});

test.each([
  ['', '/v1/traces'],
  ['/', '/v1/traces'],
  ['/base//', '/base/v1/traces'],
  ['?key=a/', '/v1/traces?key=a/'],
  ['/base?key=a', '/base/v1/traces?key=a'],
  ['/#part', '/v1/traces'],
])('the traces go to the path /v1/traces of an address that ends in "%s"', async (end, path) => {
  await traced({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}${end}` });
  expect(collector.received.map((request) => request.split(' ', 2))).toEqual([['POST', path]]);
});

test('what else is told of the service goes with what is traced', async () => {
  await traced({ OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=trial' });
  expect(collector.received.join('\n')).toMatch(
    '{"key":"deployment.environment.name","value":{"stringValue":"trial"}}',
  );
});
