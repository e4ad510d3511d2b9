import fc from 'fast-check';
import { database } from '@/src/database/client';
import { Prisma } from '@/src/database/generated/client';
import { onWire, wireColumns } from '@/src/testimonials/columns';
import { createTenant } from '../helpers/accounts';
import { type Actor, aChange, concurrent, createActors, make } from '../helpers/changes';
import type { Answer, SendOptions } from '../helpers/client';
import { type ServingProcess, startServingProcesses } from './serving-processes';

/** COHERENCE_FACTOR=20 makes twenty times as many writes. */
const factor = Number(process.env.COHERENCE_FACTOR ?? 1);
const limitMs = 90_000 + 15_000 * factor;

let processes: ServingProcess[] = [];

beforeAll(async () => {
  processes = await startServingProcesses();
});

afterAll(() => Promise.all(processes.map(({ script }) => script.kill())));

/** Sends a request to one of the processes. */
async function sendTo(
  index: number,
  method: string,
  path: string,
  { key, json, headers }: SendOptions,
): Promise<Answer> {
  const { port } = processes[index % processes.length] ?? { port: '' };
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...headers,
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  const body = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, text, body };
}

/** The rows that the database has now, told by a plain query, as a list of the API has them. */
async function stored({ accountId }: Actor, condition: Prisma.Sql): Promise<object[]> {
  const rows = await database().$queryRaw<object[]>`
    SELECT ${wireColumns} FROM testimonials t WHERE t.user_id = ${accountId}::uuid AND ${condition}
    ORDER BY t.created_at DESC, t.id DESC`;
  return onWire(rows);
}

const reads: [query: string, condition: Prisma.Sql][] = [
  ['', Prisma.sql`true`],
  ['&status=approved', Prisma.sql`t.status = 'approved'`],
  ['&rating=3&type=video', Prisma.sql`t.rating = 3 AND t.type = 'video'`],
  ['&search=abc', Prisma.sql`t.text_content ILIKE '%abc%'`],
];

test(
  'what is written through one process or in SQL is in the next read through every process',
  async () => {
    let sent = 0;
    const actors = await createActors(2, (...request) => sendTo(sent++, ...request));
    const changes = fc.sample(aChange(concurrent), 120 * factor);
    let differing = 0;
    let last = '';
    for (const [index, change] of changes.entries()) {
      const outcome = await make(actors, change);
      expect([200, 201, 204, 404, '', '23503']).toContain(outcome);
      // Every second time, so that there is something kept to be wrong.
      const actor = actors.all[change.actor % 2] ?? fail();
      const [query, condition] = reads[index % reads.length] ?? fail();
      const path = `/testimonials?limit=100${query}`;
      const rows = await stored(actor, condition);
      const expected = { data: rows.slice(0, 100), total: rows.length };
      for (const process of [0, 1, 0]) {
        const { body, text } = await sendTo(process, 'GET', path, { key: actor.key });
        const { data, pagination } = body;
        expect([change, { data, total: pagination.total }]).toEqual([change, expected]);
        differing += text === last ? 0 : 1;
        last = text;
      }
    }
    // Or nothing has been shown. Random deletes may leave little to differ.
    expect(differing).toBeGreaterThan(changes.length / 10);
  },
  limitMs,
);

test(
  'a reader never sees what is older than the last write that was answered before it asked',
  async () => {
    const { accountId, api, ...tenant } = await createTenant();
    const space = await tenant.space();
    const rows = await Promise.all([1, 2, 3].map(() => tenant.testimonial(space.id, numbered(0))));
    /** By row, the number of its last write that was answered. */
    const answered = new Map(rows.map(({ id }) => [id, 0]));
    let isWriting = true;
    let seen = 0;

    const write = async (id: string, index: number) => {
      for (let number = 1; number <= 40 * factor; number += 1) {
        if ((number + index) % 3 === 0) {
          await database().$executeRaw`UPDATE testimonials SET text_content = ${String(number)}
            WHERE id = ${id}::uuid`;
        } else {
          const json = numbered(number);
          const path = `/testimonials/${id}`;
          const { status } = await sendTo(number, 'PATCH', path, { key: api.key, json });
          expect(status).toBe(200);
        }
        answered.set(id, number);
      }
    };
    const read = async (reader: number) => {
      const kept = new Map<string, { tag: string; body: Answer['body'] }>();
      for (let turn = reader; isWriting; turn += 1) {
        const row = rows[turn % rows.length] ?? fail();
        const path = turn % 2 === 0 ? '/testimonials' : `/testimonials/${row.id}`;
        const before = new Map(answered);
        const known = kept.get(path);
        const headers = { ...(known && { 'if-none-match': known.tag }) };
        const answer = await sendTo(turn >> 1, 'GET', path, { key: api.key, headers });
        expect([200, 304]).toContain(answer.status);
        const body = answer.status === 304 ? known?.body : answer.body;
        for (const { id, text_content } of [body.data].flat()) {
          expect(Number(text_content)).toBeGreaterThanOrEqual(before.get(id) ?? 0);
          seen += 1;
        }
        kept.set(path, { tag: answer.headers.get('etag') ?? '', body });
      }
    };

    const writing = Promise.all(rows.map(({ id }, index) => write(id, index)));
    const stop = () => {
      isWriting = false;
    };
    await Promise.all([writing.finally(stop), ...[0, 1, 2, 3].map(read)]);
    expect(seen).toBeGreaterThan(100);
  },
  limitMs,
);

const numbered = (number: number) => ({ text_content: String(number) });

function fail(): never {
  throw new Error('There is one');
}
