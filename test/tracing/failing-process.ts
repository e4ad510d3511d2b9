/**
 * A traced process for tests, on the database in its first argument and for the collector in its
 * second: statements that the database refuses fail a request. Prints a line once all is sent.
 */
import { openConnections } from '../../src/database/connections/pool';
import { parseEnv } from '../../src/env';
import { startTracing } from '../../src/tracing/start';
import { tracer } from '../../src/tracing/tracer';

const [, , DATABASE_URL = '', OTEL_EXPORTER_OTLP_ENDPOINT = ''] = process.argv;
const refused = { text: 'SELECT $1::text::integer', values: ['unrepeatable words'] };

async function run(): Promise<void> {
  const stop = await startTracing(parseEnv({ OTEL_EXPORTER_OTLP_ENDPOINT }), { stopMs: 60_000 });
  const { pool } = openConnections(DATABASE_URL, 1);
  const request = tracer()?.serve({}, 'GET /refused', async () => {
    const client = await pool.connect();
    await client.query(refused).catch(() => {});
    await client.query('SELECT 1');
    client.release();
    await pool.query(refused);
  });
  const outcome = await request?.then(
    () => 'answered',
    (error: unknown) => String(error),
  );
  await pool.end();
  await stop();
  process.stdout.write(`${outcome}\n`);
}

void run();
