import { setImmediate as turn } from 'node:timers/promises';
import * as route from '@/app/api/v1/[[...path]]/route';
import { pacedBody } from '@/src/rest/paced-body';
import { createTenant } from '../helpers/accounts';
import { tenantWithLargeRows } from '../helpers/large-rows';
import { standStill } from '../helpers/stand-still';

const miB = 1024 ** 2;

function streamOf(...parameters: Parameters<typeof pacedBody>) {
  const body = pacedBody(...parameters);
  if (!(body instanceof ReadableStream)) throw new Error('It is whole');
  return body;
}

const bytes = (length: number) => new Uint8Array(length).fill(7);

async function lengthOf(stream: ReadableStream<Uint8Array>): Promise<number> {
  let length = 0;
  for await (const piece of stream) length += piece.byteLength;
  return length;
}

const slow = { idleMs: 10, bytesPerSecond: Number.POSITIVE_INFINITY };
const patient = { idleMs: 60_000, bytesPerSecond: 1 };

test('an answer is given whole, in order and in small pieces, however large its slices are', async () => {
  const slices = [bytes(10), bytes(3 * miB), bytes(70_000)].map((slice, at) => slice.fill(at));
  const pieces: Uint8Array[] = [];
  for await (const piece of streamOf('a', slices, patient)) pieces.push(piece);
  expect(Math.max(...pieces.map(({ byteLength }) => byteLength))).toBe(64 * 1024);
  expect(Buffer.concat(pieces).equals(Buffer.concat(slices))).toBe(true);
});

test('what is small is given as it is', () => {
  const small = bytes(1_000);
  expect(pacedBody('a', small)).toBe(small);
  expect(pacedBody('a', bytes(0))).toBeNull();
});

test('where too much is on its way, the oldest of whoever has most is cut, and others are whole', async () => {
  const large = Array.from({ length: 3 }, () => streamOf('most', [bytes(30 * miB)], patient));
  const other = streamOf('other', [bytes(miB)], patient);
  const [oldest, ...rest] = large;
  await expect(lengthOf(oldest ?? other)).rejects.toThrow('too slowly');
  for (const body of rest) expect(await lengthOf(body)).toBe(30 * miB);
  expect(await lengthOf(other)).toBe(miB);
  // Nothing is on its way any more.
  const [next, more] = [1, 2].map(() => streamOf('most', [bytes(30 * miB)], patient));
  for (const body of [next, more]) expect(await lengthOf(body ?? other)).toBe(30 * miB);
});

test('what was taken while the process stood still is not cut', async () => {
  const reader = streamOf('a', [bytes(miB)], slow).getReader();
  await reader.read();
  // By then the next piece waits for the client.
  await turn();
  const taken = new Promise<number>((resolve, reject) => {
    setImmediate(async () => {
      for (let length = 64 * 1024; ; ) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          reject(error);
          return { done: true, value: undefined };
        });
        if (done) return resolve(length);
        length += value?.byteLength ?? 0;
      }
    });
  });
  standStill(10 * slow.idleMs);
  expect(await taken).toBe(miB);
});

test('who takes a piece just in time, again and again, is cut: what was waited adds up', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const reader = streamOf('a', [bytes(miB)], { ...slow, idleMs: 100_000 }).getReader();
  for (let pieces = 0; pieces < 3; pieces += 1) {
    await reader.read();
    await turn();
    now += 60_000;
  }
  await expect(reader.closed).rejects.toThrow('too slowly');
});

test('one that nobody takes is cut, and so is what is made as it is taken', async () => {
  let isEnded = false;
  async function* made() {
    try {
      for (;;) yield bytes(10);
    } finally {
      isEnded = true;
    }
  }
  for (const source of [[bytes(miB)], made()]) {
    const body = streamOf('a', source, slow);
    const reader = body.getReader();
    await reader.read();
    await expect(reader.closed).rejects.toThrow('too slowly');
  }
  while (!isEnded) await turn();
});

test('who leaves, or is done, is waited for no longer', async () => {
  const left = streamOf('a', [bytes(40 * miB)], patient);
  await left.cancel();
  expect(await lengthOf(streamOf('a', [bytes(40 * miB)], patient))).toBe(40 * miB);
  expect(await lengthOf(streamOf('a', [bytes(40 * miB)], patient))).toBe(40 * miB);
});

test("large lists that Next's clients do not take are cut, and others answered", async () => {
  const { tenant } = await tenantWithLargeRows(30);
  const other = await createTenant();
  const list = ({ api: { key } }: typeof tenant) =>
    route.GET(
      new Request('http://localhost/api/v1/testimonials', { headers: { authorization: key } }),
    );
  const untaken: Response[] = [];
  for (let at = 0; at < 5; at++) untaken.push(await list(tenant));
  const fates = untaken.map(({ body }) => body && lengthOf(body).catch(() => 'cut'));
  expect((await Promise.all(fates)).map((fate) => (fate === 'cut' ? fate : 'whole'))).toEqual([
    ...['cut', 'cut'],
    ...['whole', 'whole', 'whole'],
  ]);
  expect((await (await list(other)).json()).data).toHaveLength(0);
});
