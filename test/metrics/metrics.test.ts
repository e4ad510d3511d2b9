import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { pool } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { cachedFor } from '@/src/metrics/cached-for';
import { folderBytes } from '@/src/metrics/folder-bytes';
import { setMeter } from '@/src/metrics/meter';
import {
  createMetrics,
  type Metrics,
  processCountsSchema,
  type Sources,
} from '@/src/metrics/metrics';
import { serviceMetrics } from '@/src/service/metrics';
import { createAccount, createKey, createTenant } from '../helpers/accounts';
import { send } from '../helpers/client';
import { settled } from '../helpers/next-server';
import { statementsDuring } from '../helpers/statements';

const sources: Sources = {
  pool: () => ({ busy: 2, idle: 1, waiting: 3, max: 10 }),
  cacheBytes: () => 4096,
  backlog: async () => [{ queue: 'webhooks', due: 7, oldestSeconds: 42 }],
  embeddedBytes: async () => 1_000_000,
};

let metrics: Metrics;

beforeEach(() => {
  metrics = createMetrics(sources);
  setMeter(metrics.meter);
});

afterEach(() => setMeter(undefined));

/** The value of a series, as the text has it. */
function seriesOf(text: string, series: string): string | undefined {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return line?.slice(series.length + 1);
}

const requests = 'testimonials_http_request_duration_seconds';

test('requests are counted by template, method and status, and never by what was asked for', async () => {
  const { api } = await createTenant();
  const { key } = api;
  await api.get('/testimonials?search=jane');
  await api.get('/testimonials/00000000-0000-0000-0000-000000000000');
  await send('GET', '/nowhere/jane', { key });
  await send('GET', '/elsewhere/jane', { key });
  await send('GET', '/spaces');
  const text = await metrics.render();
  const count = (method: string, route: string, status: number) =>
    seriesOf(text, `${requests}_count{method="${method}",route="${route}",status="${status}"}`);
  expect(count('GET', '/api/v1/testimonials', 200)).toBe('1');
  expect(count('GET', '/api/v1/testimonials/{id}', 404)).toBe('1');
  expect(count('GET', '/api/v1/…', 404)).toBe('2');
  expect(count('GET', '/api/v1/spaces', 401)).toBe('1');
  expect(text).not.toMatch(/jane|nowhere|0000-0000|sk_live/);
});

test('a made-up method is counted among the others', async () => {
  for (const method of ['FOO', 'BAR']) {
    metrics.meter.request({ method, route: '/api/v1/…', status: 404, seconds: 0.1 });
  }
  const series = `${requests}_count{method="other",route="/api/v1/…",status="404"}`;
  expect(seriesOf(await metrics.render(), series)).toBe('2');
});

test('reads say whether memory, the client or the database had the answer', async () => {
  const { api } = await createTenant();
  const first = await api.get('/spaces?limit=7');
  await settled();
  await api.get('/spaces?limit=7');
  const etag = first.headers.get('etag') ?? '';
  await send('GET', '/spaces?limit=7', { key: api.key, headers: { 'if-none-match': etag } });
  const text = await metrics.render();
  const asked = (outcome: string) =>
    seriesOf(text, `testimonials_answer_cache_requests_total{outcome="${outcome}"}`);
  expect([asked('miss'), asked('hit'), asked('not_modified')]).toEqual(['1', '1', '1']);
});

test('what a limit refuses is counted', async () => {
  provideEnv({ RATE_LIMIT_REQUESTS: '1' });
  // Made anew with the limit of one, and once more after it.
  const forget = () => Reflect.deleteProperty(globalThis, Symbol.for('testimonials.rate-limit'));
  forget();
  const { api } = await createTenant();
  const limited = 'testimonials_rate_limited_requests_total{limit="api"}';
  expect(seriesOf(await metrics.render(), limited)).toBe('0');
  expect((await api.get('/spaces')).status).toBe(200);
  expect((await api.get('/spaces')).status).toBe(429);
  provideEnv({ RATE_LIMIT_REQUESTS: '1000' });
  forget();
  expect(seriesOf(await metrics.render(), limited)).toBe('1');
});

test('a request makes no statement of the database for its count', async () => {
  const key = await createKey(await createAccount());
  let reads = 0;
  metrics = createMetrics({
    ...sources,
    backlog: async () => {
      reads += 1;
      return [];
    },
  });
  setMeter(metrics.meter);
  await send('GET', '/spaces', { key });
  expect(reads).toBe(0);
});

test('the counts of other processes are added, and what is true of the service is told once', async () => {
  const other = createMetrics(sources);
  metrics.meter.attempt('succeeded', 0.2);
  other.meter.attempt('succeeded', 0.2);
  other.meter.attempt('timeout', 15);
  const sent: unknown = JSON.parse(JSON.stringify(await other.ofProcess()));
  const text = await metrics.render(async () => [processCountsSchema.parse(sent)]);
  const attempts = 'testimonials_webhook_attempt_duration_seconds';
  expect(seriesOf(text, `${attempts}_count{outcome="succeeded"}`)).toBe('2');
  expect(seriesOf(text, `${attempts}_bucket{le="0.1",outcome="succeeded"}`)).toBe('0');
  expect(seriesOf(text, `${attempts}_count{outcome="timeout"}`)).toBe('1');
  expect(seriesOf(text, 'testimonials_processes')).toBe('2');
  const ofDatabase = (name: string) => seriesOf(text, `testimonials_database_${name}`);
  expect(
    ['connections{state="busy"}', 'connections{state="idle"}', 'waiting', 'connections_max'].map(
      ofDatabase,
    ),
  ).toEqual(['4', '2', '6', '20']);
  expect(seriesOf(text, 'testimonials_backlog_due{queue="webhooks"}')).toBe('7');
  expect(seriesOf(text, 'testimonials_backlog_oldest_seconds{queue="webhooks"}')).toBe('42');
  expect(seriesOf(text, 'testimonials_embedded_database_bytes')).toBe('1000000');
});

test('connections are told as they are, the embedded database without what lies beside it, and the backlog is read once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'data-'));
  for (const [name, content] of [
    ['postgres', 'abc'],
    ['files', 'uploaded'],
  ] as const) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'a'), content);
  }
  const { render } = serviceMetrics({ embeddedFolder: folder });
  const busy = (text: string) => seriesOf(text, 'testimonials_database_connections{state="busy"}');
  await settled();
  // It is read anew once some time has passed.
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  const client = await pool().connect();
  const held = await render();
  client.release();
  const statements = await statementsDuring(async () => {
    const text = await render();
    expect([busy(held), busy(text)]).toEqual(['1', '0']);
    expect(seriesOf(text, 'testimonials_embedded_database_bytes')).toBe('3');
  });
  clock.mockRestore();
  expect(statements).toEqual([]);
  rmSync(folder, { recursive: true });
});

test('where the files of the embedded database cannot be counted, all else is told', async () => {
  const text = await serviceMetrics({ embeddedFolder: '/nowhere' }).render();
  expect(seriesOf(text, 'testimonials_embedded_database_bytes')).toBeUndefined();
  expect(seriesOf(text, 'testimonials_processes')).toBe('1');
});

test('the bytes of a folder are those of all files in it, and what goes meanwhile counts nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bytes-'));
  mkdirSync(join(folder, 'within', 'it'), { recursive: true });
  writeFileSync(join(folder, 'a'), 'abc');
  writeFileSync(join(folder, 'within', 'it', 'b'), 'defgh');
  expect(await folderBytes(folder)).toBe(8);
  const gone = Object.assign(new Error('gone'), { code: 'ENOENT' });
  jest.spyOn(fs, 'stat').mockRejectedValueOnce(gone);
  expect([3, 5]).toContain(await folderBytes(folder));
  rmSync(folder, { recursive: true });
});

test('a backlog that could not be counted is not told as it was before', async () => {
  let counted: Awaited<ReturnType<Sources['backlog']>> = await sources.backlog();
  const { render } = createMetrics({ ...sources, backlog: async () => counted });
  expect(await render()).toMatch('{queue="webhooks"}');
  counted = undefined;
  expect(await render()).not.toMatch('{queue="webhooks"}');
});

test('what is yet to happen is told as 0, so that the first time is an increase', async () => {
  const text = await metrics.render();
  for (const series of [
    'rate_limited_requests_total{limit="api"}',
    'answer_cache_requests_total{outcome="hit"}',
    'replica_reads_total{outcome="behind"}',
    'transcription_tries_total{outcome="failed"}',
    'webhook_attempt_duration_seconds_count{outcome="succeeded"}',
  ]) {
    expect([series, seriesOf(text, `testimonials_${series}`)]).toEqual([series, '0']);
  }
});

test('a reading is made once for all who ask within its time, also one that fails', async () => {
  let reads = 0;
  const kept = cachedFor(60_000, async () => {
    reads += 1;
    throw new Error('away');
  });
  const asked = await Promise.allSettled([kept(), kept()]);
  await kept().catch(() => {});
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(reads).toBe(1);
  const fresh = cachedFor(0, async () => ++reads);
  expect([await fresh(), await fresh()]).toEqual([2, 3]);
});

test('the dashboard for Grafana asks for no metric that the service does not have, and for all of its own', async () => {
  const dashboard = z
    .object({ panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })) })
    .parse(JSON.parse(readFileSync('docs/grafana/testimonials.json', 'utf8')));
  const text = await metrics.render();
  const exported = new Set([...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].map(([, name]) => name));
  const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const asked = new Set(
    expressions.flatMap((expr) =>
      [...expr.matchAll(/\b((?:testimonials|nodejs|process)_\w+)\{/g)].map(([, name = '']) =>
        exported.has(name) ? name : name.replace(/_(?:bucket|count|sum)$/, ''),
      ),
    ),
  );
  expect([...asked].filter((name) => !exported.has(name))).toEqual([]);
  const own = [...exported].filter((name) => name?.startsWith('testimonials_'));
  expect(own.filter((name) => name && !asked.has(name))).toEqual([]);
});

test('the docs tell of every metric of the service, and of no other', async () => {
  const docs = readFileSync('docs/operations.md', 'utf8');
  const told = new Set(docs.match(/\btestimonials_\w+/g));
  const text = await metrics.render();
  const own = [...text.matchAll(/^# TYPE (testimonials_\S+) /gm)].map(([, name = '']) => name);
  expect([...told].sort()).toEqual([...own].sort());
});
