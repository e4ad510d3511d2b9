import { noteRequestOf } from '@/src/api/recent-accounts';
import { readJson } from '@/src/rest/input';
import { standStill } from '../helpers/stand-still';

async function* bodyOf(length: number) {
  yield new TextEncoder().encode(JSON.stringify('x'.repeat(length)));
}

const stays = () => {};

function read(length: number, owner = 'a', whenGone: (leave: () => void) => void = stays) {
  return readJson(bodyOf(length), { maxBytes: 1_000_000, isOptional: false, owner, whenGone });
}

/** In which turn of the event loop each of five bodies that arrive together is there. */
async function turnsOf(length: number): Promise<number[]> {
  let turn = 0;
  const next = () => {
    turn += 1;
    timer = setImmediate(next);
  };
  let timer = setImmediate(next);
  const turnOf = async () => {
    await read(length);
    return turn;
  };
  const turns = await Promise.all(Array.from({ length: 5 }, turnOf));
  clearImmediate(timer);
  return turns;
}

test('of large bodies that arrive together, one is parsed in each turn of the event loop', async () => {
  expect(new Set(await turnsOf(100_000)).size).toBe(5);
});

test('small ones wait for none', async () => {
  expect(await turnsOf(1_000)).toEqual([0, 0, 0, 0, 0]);
});

test('a large body is followed by as much time for others as it took, where others ask', async () => {
  const tookMs = 60;
  const busy = async () => {
    await read(100_000);
    standStill(tookMs);
    noteRequestOf('b');
    return performance.now();
  };
  const waited = async () => {
    await read(100_000);
    return performance.now();
  };
  const [endedAt, nextAt] = await Promise.all([busy(), waited()]);
  // Timers count whole milliseconds.
  expect(nextAt - endedAt).toBeGreaterThan(tookMs - 5);
});

test('a large body waits for one of another account, and not for all of them', async () => {
  const order: string[] = [];
  const owners = ['a', 'a', 'a', 'a', 'b'];
  await Promise.all(
    owners.map(async (owner) => {
      await read(100_000, owner);
      order.push(owner);
    }),
  );
  expect(order.indexOf('b')).toBeLessThan(3);
});

test('the body of a client that has left while it waited is not parsed', async () => {
  const leaving: (() => void)[] = [];
  const parse = jest.spyOn(JSON, 'parse');
  const first = read(100_000);
  const second = read(100_000, 'a', (leave) => leaving.push(leave));
  await Promise.resolve();
  // Both are read by now, and the first has its turn.
  await first;
  for (const leave of leaving) leave();
  await expect(second).rejects.toMatchObject({ cause: { message: 'its client left' } });
  expect(parse).toHaveBeenCalledTimes(1);
});

async function readText(text: string): Promise<unknown> {
  async function* body() {
    yield new TextEncoder().encode(text);
  }
  return readJson(body(), { maxBytes: 2_000_000, isOptional: false, owner: 'a', whenGone: stays });
}

test('a body of more than 100,000 values is refused before it is parsed', async () => {
  const refused = { body: { error: { code: 'VALIDATION_ERROR' } } };
  const many = JSON.stringify(Array(100_001).fill(0));
  await expect(readText(many)).rejects.toMatchObject(refused);
  const nested = { names: Array(50_000).fill('a'), rows: Array(50_001).fill({}) };
  await expect(readText(JSON.stringify(nested))).rejects.toMatchObject(refused);
  for (const [start, end] of [
    ['[', ']'],
    ['{"a":', '}'],
  ]) {
    const deep = `${start?.repeat(100_001)}0${end?.repeat(100_001)}`;
    await expect(readText(deep)).rejects.toMatchObject(refused);
  }
  // It is not even looked at whether it is JSON.
  await expect(readText(many.slice(0, -1))).rejects.toMatchObject(refused);
});

test('a body of 100,000 values is taken, however many commas are in its texts', async () => {
  await expect(readText(JSON.stringify(Array(100_000).fill(0)))).resolves.toHaveLength(100_000);
  const texts = [',"', '\\', ',"\\', '"', '[{'].map((text) => text.repeat(120_000));
  await expect(readText(JSON.stringify(texts))).resolves.toEqual(texts);
});
