import { readJson } from '@/src/rest/input';

async function* bodyOf(length: number) {
  yield new TextEncoder().encode(JSON.stringify('x'.repeat(length)));
}

/** In which turn of the event loop each of five bodies that arrive together is there. */
async function turnsOf(length: number): Promise<number[]> {
  let turn = 0;
  const next = () => {
    turn += 1;
    timer = setImmediate(next);
  };
  let timer = setImmediate(next);
  const read = async () => {
    await readJson(bodyOf(length), { maxBytes: 1_000_000, isOptional: false });
    return turn;
  };
  const turns = await Promise.all(Array.from({ length: 5 }, read));
  clearImmediate(timer);
  return turns;
}

test('of large bodies that arrive together, one is parsed in each turn of the event loop', async () => {
  expect(new Set(await turnsOf(100_000)).size).toBe(5);
});

test('small ones wait for none', async () => {
  expect(await turnsOf(1_000)).toEqual([0, 0, 0, 0, 0]);
});
