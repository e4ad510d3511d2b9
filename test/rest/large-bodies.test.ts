import { readJson } from '@/src/rest/input';

async function* bodyOf(length: number) {
  yield new TextEncoder().encode(JSON.stringify('x'.repeat(length)));
}

function read(length: number, owner = 'a'): Promise<unknown> {
  return readJson(bodyOf(length), { maxBytes: 1_000_000, isOptional: false, owner });
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

test('a large body is followed by as much time for others as it took', async () => {
  const tookMs = 60;
  const busy = async () => {
    await read(100_000);
    const begunAt = performance.now();
    while (performance.now() < begunAt + tookMs);
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
