import { PHASE_PRODUCTION_SERVER } from 'next/constants';
import config from '@/next.config.mjs';
import { dataHeaders, healthReads } from '@/src/service/health-reads';
import { setStopping } from '@/src/stopping';
import { closeFronts, serve } from '../http/front';

afterEach(closeFronts);

const paths = ['/api/health', '/api/health/live', '/api/health/ready'];

test.each(paths)(
  'a read of %s is answered without Next, with the headers it gives',
  async (path) => {
    const { port } = await serve({ reads: healthReads });
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}?at=now`, { method });
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'no-store',
        ...(await headersOfNext(path)),
      });
      expect(await answer.text()).toBe(method === 'GET' ? '{"status":"ok"}' : '');
    }
  },
);

test('whatever else is asked of such a path goes on to Next', async () => {
  const { port } = await serve({ reads: healthReads });
  for (const [method, path] of [
    ['POST', '/api/health'],
    ['DELETE', '/api/health/live'],
    ['OPTIONS', '/api/health/ready'],
    ['GET', '/api/health/other'],
  ] as const) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    expect(await answer.text()).toBe('ok');
  }
});

test('a process that was told to stop says that it is not ready', async () => {
  const { port } = await serve({ reads: healthReads });
  setStopping();
  const answer = await fetch(`http://127.0.0.1:${port}/api/health/ready`);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({ status: 'unavailable', reason: 'stopping' });
});

test('the headers are those of next.config.mjs, no more and no fewer', async () => {
  for (const path of paths) expect(await headersOfNext(path)).toEqual(lowered(dataHeaders));
});

async function headersOfNext(path: string): Promise<Record<string, string>> {
  const rules = (await config(PHASE_PRODUCTION_SERVER).headers?.()) ?? [];
  const fitting = rules.filter(({ source }) => new RegExp(`^${source}$`).test(path));
  const pairs = fitting.flatMap(({ headers }) => headers.map(({ key, value }) => [key, value]));
  return lowered(Object.fromEntries(pairs));
}

function lowered(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
