import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { env } from '@/src/env';
import { log } from '@/src/logging/log';
import { startTracing } from '@/src/tracing/start';
import { tracer } from '@/src/tracing/tracer';
import { until } from '../helpers/until';
import { closeServers, serve } from '../outbound/servers';

/** More than go in one batch, so that it waits for no others. */
const spans = 600;

afterEach(closeServers);

test('a collector that refuses every batch is told of once a minute', async () => {
  const warn = jest.spyOn(log(), 'warn');
  let batches = 0;
  const refusing = createServer(async (request, response) => {
    await text(request);
    batches += 1;
    response.writeHead(404).end();
  });
  const url = `http://127.0.0.1:${await serve(refusing)}`;
  const settings = { ...env(), OTEL_EXPORTER_OTLP_ENDPOINT: url };
  const stopTracing = await startTracing(settings, { stopMs: 60_000 });
  for (let round = 1; round <= 3; round += 1) {
    for (let span = 0; span < spans; span += 1) await tracer()?.send('span', {}, async () => {});
    await until(() => batches >= round);
  }
  await stopTracing();
  const told = warn.mock.calls.filter(([, line]) => line === 'traces are not taken');
  expect(told).toEqual([[expect.objectContaining({ times: 1 }), expect.any(String)]]);
});
