/**
 * `npm run smoke:workers`: the built service as several processes on one listener, on a fresh embedded
 * database, or with TEST_DATABASE_URL on a fresh database of that server.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopUnderLoad } from './attacks';
import type { FreshDatabase } from './databases';
import { childrenOf, resultOf, type Service, type Settings, startService } from './processes';
import { runSteps, step } from './steps';
import { until } from './until';

const limit = 200;
const workers = 2;
const password = 'correct horse battery';
const waitMs = 300_000;

type Reply = { status: number; headers: NodeJS.Dict<string | string[]>; body: string };

async function walk(database: FreshDatabase): Promise<void> {
  const settings = {
    ...database.settings,
    WORKERS: String(workers),
    RATE_LIMIT_REQUESTS: String(limit),
  };
  const service = await step(
    'it says once that it is ready, also where SIGHUP comes before',
    async () => {
      const started = await startService(settings, 'node', 'SIGHUP');
      assert.equal(started.output().printed.split('Ready at').length, 2);
      await inTime(async () => (await processes(started)) === workers, 'all workers answer');
      return started;
    },
  );
  const key = await newKey(settings, 'a@example.com');
  const other = await newKey(settings, 'b@example.com');
  const space = await create(service, key, '/spaces', { name: 'A space' });

  await step('every worker gets its share, and the log says which one has answered', async () => {
    await inTime(async () => {
      await Promise.all(Array.from({ length: 20 }, () => ask(service, '/openapi.json')));
      return new Set(requestLines(service).map(({ worker }) => worker)).size === workers;
    }, 'all have answered');
    assert.ok(requestLines(service).every(({ requestId }) => typeof requestId === 'string'));
  });

  await step(
    'what one has written, the others show with the next read, kept answers too',
    async () => {
      for (let count = 1; count <= 10; count += 1) {
        await create(service, key, '/testimonials', testimonialOf(space));
        const lists = await Promise.all(
          [1, 2, 3, 4].map(() => ask(service, '/testimonials?limit=1', { key })),
        );
        for (const { body } of lists) assert.equal(JSON.parse(body).pagination.total, count);
      }
    },
  );

  await step('who waits for events at one hears what is written through another', async () => {
    const { body: end } = await ask(service, '/events?after=latest', { key });
    const cursor = encodeURIComponent(JSON.parse(end).pagination.next_cursor);
    const path = `/events?after=${cursor}&wait=20`;
    const waiting = [1, 2, 3, 4].map(() => ask(service, path, { key }));
    await sleep(200);
    await create(service, key, '/testimonials', testimonialOf(space));
    for (const { body } of await Promise.all(waiting)) {
      assert.equal(JSON.parse(body).data[0].type, 'testimonial.created');
    }
  });

  await step('the limit is exact over all of them', async () => {
    const answers: Reply[] = [];
    // Not all at once: one to which the primary process says nothing for a second counts by itself.
    while (answers.length < limit + 60) {
      const some = Array.from({ length: 20 }, () => ask(service, '/spaces', { key: other }));
      answers.push(...(await Promise.all(some)));
    }
    const allowed = answers.filter(({ status }) => status === 200);
    assert.equal(allowed.length, limit);
    assert.equal(answers.filter(({ status }) => status === 429).length, 60);
    const left = new Set(allowed.map(({ headers }) => headers['x-ratelimit-remaining']));
    assert.equal(left.size, limit);
    const resets = new Set(allowed.map(({ headers }) => headers['x-ratelimit-reset']));
    assert.ok(spread(resets) < 5_000, `windows end at ${[...resets]}`);
  });

  await step('the metrics are those of all of them', async () => {
    const requests = 'testimonials_http_request_duration_seconds_count';
    const labels = 'method="GET",route="/api/v1/spaces",status="200"';
    let [limited, allowed] = [0, 0];
    // One that is late is told of by what it has last said.
    await inTime(async () => {
      const text = (await ask(service, '/metrics', { base: '/api' })).body;
      limited = seriesOf(text, 'testimonials_rate_limited_requests_total{limit="api"}');
      allowed = seriesOf(text, `${requests}{${labels}}`);
      return limited >= 60 && allowed >= limit;
    }, 'every answer is told of');
    assert.deepEqual([limited, allowed], [60, limit]);
  });

  await step('one that is killed is replaced, and the others answer meanwhile', async () => {
    const [killed = 0, ...others] = workersOf(service);
    assert.equal(others.length, workers - 1);
    // Each over a connection of its own: some are just being handed to the one that dies.
    const asked = Array.from({ length: 200 }, () =>
      ask(service, '/openapi.json').then(
        ({ status }) => status,
        (error: unknown) => String(error),
      ),
    );
    await asked[0];
    process.kill(killed, 'SIGKILL');
    for (const outcome of await Promise.all(asked)) {
      if (outcome !== 200) assert.match(String(outcome), /ECONNRESET|socket hang up/);
    }
    await inTime(() => {
      const now = workersOf(service);
      return now.length === workers && !now.includes(killed);
    }, 'another process is there');
    await inTime(async () => (await processes(service)) === workers, 'it answers');
  });

  await step('SIGHUP replaces all of them, without a request refused or cut off', async () => {
    const before = workersOf(service);
    let isOver = false;
    const failures: string[] = [];
    let answers = 0;
    const clients = [true, true, true, true, false, false].map(async (keepAlive) => {
      const agent = new Agent({ keepAlive, maxSockets: 1 });
      while (!isOver) {
        try {
          const { status } = await ask(service, '/openapi.json', { agent });
          answers += 1;
          if (status !== 200) failures.push(String(status));
        } catch (error) {
          failures.push(String(error));
        }
      }
      agent.destroy();
    });
    process.kill(service.pid, 'SIGHUP');
    await inTime(
      () => service.output().printed.includes('The workers are replaced.'),
      'they are replaced',
    );
    isOver = true;
    await Promise.all(clients);
    assert.deepEqual(failures, []);
    assert.ok(answers > 20);
    assert.ok(workersOf(service).every((pid) => !before.includes(pid)));
    assert.equal((await ask(service, '/spaces', { key: other })).status, 429);
  });

  await step('SIGTERM under load ends all in order, and cuts no request off', async () => {
    const pids = workersOf(service);
    const { exit, failures } = await stopUnderLoad(service);
    assert.deepEqual(failures, []);
    assert.equal(exit.code, 0);
    assert.ok(pids.every(isGone));
  });

  await step(
    'with the primary process go the others, and the next start has every row',
    async () => {
      const again = await startService(settings);
      await inTime(async () => (await processes(again)) === workers, 'all workers answer');
      const { body } = await ask(again, '/testimonials', { key });
      assert.equal(JSON.parse(body).pagination.total, 11);
      const pids = workersOf(again);
      await again.end('SIGKILL');
      await inTime(() => pids.every(isGone), 'they are gone');
    },
  );
}

/** How many processes answer, as the metrics have it. */
async function processes(service: Service): Promise<number> {
  const { body } = await ask(service, '/metrics', { base: '/api' });
  return seriesOf(body, 'testimonials_processes');
}

function seriesOf(text: string, series: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1));
}

function requestLines(service: Service): Record<string, unknown>[] {
  const lines = service.output().printed.split('\n');
  return lines.filter((line) => line.includes('"msg":"request"')).map((line) => JSON.parse(line));
}

/** The workers of a service, by process id. */
function workersOf({ pid }: Service): number[] {
  return childrenOf(pid).filter(isWorker);
}

function isWorker(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('server.ts');
  } catch {
    return false;
  }
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

async function newKey(settings: Settings, email: string): Promise<string> {
  await resultOf(settings, 'account', ['create', '--email', email, '--password', password]);
  return resultOf(settings, 'api-key', ['create', '--email', email, '--scopes', 'read,write']);
}

async function create(service: Service, key: string, path: string, json: object): Promise<string> {
  const { status, body } = await ask(service, path, { key, json });
  assert.equal(status, 201);
  return JSON.parse(body).data.id;
}

function testimonialOf(space: string): object {
  const submitter = { submitter_name: 'Jane', submitter_email: 'jane@example.com' };
  return { space_id: space, type: 'text', ...submitter };
}

/** One request, over a connection of its own unless an agent keeps one. */
function ask(
  { port }: Service,
  path: string,
  options: { key?: string; json?: object; agent?: Agent; base?: string } = {},
): Promise<Reply> {
  const { key, json, agent, base = '/api/v1' } = options;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        port,
        host: '127.0.0.1',
        path: base + path,
        method: json ? 'POST' : 'GET',
        agent: agent ?? false,
        headers: {
          ...(key && { authorization: `Bearer ${key}` }),
          ...(json && { 'content-type': 'application/json' }),
        },
      },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          body += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(json && JSON.stringify(json));
  });
}

function spread(values: Set<string | string[] | undefined>): number {
  const numbers = [...values].map(Number);
  return Math.max(...numbers) - Math.min(...numbers);
}

/** However crowded the machine is. */
const inTime = (isSo: () => boolean | Promise<boolean>, what: string) => until(isSo, what, waitMs);

void runSteps(walk);
