import fc from 'fast-check';
import { pool } from '@/src/database/client';
import { type Actor, aChange, createActors, make, ofService } from '../helpers/changes';
import type { Answer, SendOptions } from '../helpers/client';
import { type ServingProcess, startServingProcesses } from '../rest/serving-processes';
import { type Copy, takeCopy, update, walk } from './copy';
import { type Event, follow, type Get, latestCursor } from './following';

/** FEED_FACTOR=20 makes twenty times as many changes. */
const factor = Number(process.env.FEED_FACTOR ?? 1);
const rounds = 3 * factor;
const limitMs = 90_000 + 20_000 * factor;

let processes: ServingProcess[] = [];

beforeAll(async () => {
  processes = await startServingProcesses();
});

afterAll(() => Promise.all(processes.map(({ script }) => script.kill())));

let sent = 0;

/** Sends a request to the processes in turn. */
async function sendToNext(
  method: string,
  path: string,
  { key, json }: SendOptions,
): Promise<Answer> {
  sent += 1;
  const { port } = processes[sent % processes.length] ?? { port: '' };
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  const body = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, text, body };
}

const getOf =
  ({ key }: Actor): Get =>
  (path) =>
    sendToNext('GET', path, { key });

async function createActor(): Promise<{
  actors: Awaited<ReturnType<typeof createActors>>;
  get: Get;
}> {
  const actors = await createActors(1, sendToNext);
  const [actor] = actors.all;
  if (!actor) throw new Error('There is no actor');
  return { actors, get: getOf(actor) };
}

/** What the account has, told by the lists when nothing is changed any more. */
async function expectEqual(copy: Copy, get: Get): Promise<void> {
  expect(copy.spaces).toEqual(await walk(get, '/spaces'));
  expect(copy.testimonials).toEqual(await walk(get, '/testimonials'));
}

// Through two processes at once; on a server their statements really meet.
test(
  'a copy taken and kept by list and feed is what the account has, whatever is changed meanwhile',
  async () => {
    for (let round = 0; round < rounds; round++) {
      const { actors, get } = await createActor();
      const changes = fc.sample(aChange(ofService), 60);
      const [before, meanwhile, after] = [0, 20, 40].map((at) => changes.slice(at, at + 20));
      const makeAll = (some: typeof changes = []) =>
        Promise.all(some.map((change) => make(actors, change)));
      const writing = makeAll(before);
      const [copy] = await Promise.all([takeCopy(get), writing, makeAll(meanwhile)]);
      await Promise.all([update(copy, get, 1 + (round % 7)), makeAll(after)]);
      await update(copy, get);
      await expectEqual(copy, get);
    }
  },
  limitMs,
);

/** Without what soon leaves nothing to change. */
const keeping = ofService.filter((kind) => !/delete/i.test(kind));

test(
  'no event is ever placed behind a cursor that was passed, with however many writers at once',
  async () => {
    for (let round = 0; round < rounds; round++) {
      const { actors, get } = await createActor();
      const start = await latestCursor(get);
      const writing = Promise.all(
        fc.sample(aChange(keeping), 60).map((change) => make(actors, change)),
      );
      let isWriting = true;
      void writing.finally(() => {
        isWriting = false;
      });
      const seen: Event[] = [];
      let cursor = start;
      do {
        const next = await follow(get, cursor, { limit: 5 });
        seen.push(...next.events);
        cursor = next.cursor;
      } while (isWriting);
      const outcomes = await writing;
      expect(outcomes.filter((outcome) => Number(outcome) >= 500)).toEqual([]);
      seen.push(...(await follow(get, cursor)).events);
      expect(seen).toEqual((await follow(get, start)).events);
      expect(seen.length).toBeGreaterThan(20);
      const { rows } = await pool().query(
        `SELECT count(position) = max(position) AND max(position) = max(event_position) AS is_whole
         FROM users LEFT JOIN webhook_events e ON e.user_id = users.id
         WHERE users.id = $1 GROUP BY users.id`,
        [actors.all[0]?.accountId],
      );
      expect(rows).toEqual([{ is_whole: true }]);
    }
  },
  limitMs,
);
