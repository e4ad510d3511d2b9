import { createFairPlaces, enterPlace, runInPlace } from '@/src/fair-places';

const turn = () => new Promise((done) => setImmediate(done));

/** Visits that end when told to, and the names of those under way in the order of their begin. */
function visits(options: Partial<Parameters<typeof createFairPlaces>[0]>) {
  const places = createFairPlaces({ waitingPerKey: 100, ...options });
  const underWay: string[] = [];
  const refused: string[] = [];
  const leaves = new Map<string, () => void>();
  return {
    underWay,
    refused,
    /** The name begins with its key. */
    begin: async (name: string, signal = new AbortController().signal, weight = 1) => {
      void places.enter(name.charAt(0), signal, weight).then(
        (leave) => {
          if (!leave) return refused.push(name);
          underWay.push(name);
          leaves.set(name, leave);
        },
        () => refused.push(name),
      );
      await turn();
    },
    end: async (name: string) => {
      underWay.splice(underWay.indexOf(name), 1);
      leaves.get(name)?.();
      await turn();
    },
  };
}

test('no more than the total are under way; the others of a key follow in order', async () => {
  const { underWay, begin, end } = visits({ total: 2 });
  for (const name of ['a1', 'a2', 'a3', 'a4']) await begin(name);
  expect(underWay).toEqual(['a1', 'a2']);
  await end('a1');
  expect(underWay).toEqual(['a2', 'a3']);
  await end('a3');
  expect(underWay).toEqual(['a2', 'a4']);
});

test('a free place goes to the keys in turn, however many of one of them wait', async () => {
  const { underWay, begin, end } = visits({ total: 1 });
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) await begin(name);
  const order: string[] = [];
  for (let [name] = underWay; name !== undefined; [name] = underWay) {
    order.push(name);
    await end(name);
  }
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('without a total a key waits for itself alone, and has no more than its own places', async () => {
  const { underWay, begin, end } = visits({ perKey: 2 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) await begin(name);
  expect(underWay).toEqual(['a1', 'a2', 'b1']);
  await end('b1');
  expect(underWay).toEqual(['a1', 'a2']);
  await end('a2');
  await end('a1');
  expect(underWay).toEqual(['a3', 'a4']);
});

test('a free place goes to the key that holds the fewest', async () => {
  const { underWay, begin, end } = visits({ total: 3 });
  for (const name of ['a1', 'a2', 'b1', 'a3', 'c1']) await begin(name);
  await end('a1');
  expect(underWay).toEqual(['a2', 'b1', 'c1']);
});

test('sparing places, one key takes half of them, and a second one leaves some', async () => {
  const { underWay, begin, end } = visits({ total: 8, sparing: true });
  for (const key of ['a', 'b']) {
    for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) await begin(`${key}${number}`);
  }
  expect(underWay).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2']);
  await begin('c1');
  await begin('d1');
  expect(underWay.slice(6)).toEqual(['c1', 'd1']);
  await begin('e1');
  expect(underWay).toHaveLength(8);
  await end('b1');
  expect(underWay.at(-1)).toBe('e1');
});

test('a key has no more waiting than it may; the next is refused at once', async () => {
  const { underWay, refused, begin } = visits({ total: 1, waitingPerKey: 2 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) await begin(name);
  expect({ underWay, refused }).toEqual({ underWay: ['a1'], refused: ['a4'] });
});

test('who gives up waiting is passed over', async () => {
  const { underWay, refused, begin, end } = visits({ total: 1 });
  const impatient = new AbortController();
  await begin('a1');
  await begin('b1', impatient.signal);
  await begin('b2');
  impatient.abort();
  await end('a1');
  expect({ underWay, refused }).toEqual({ underWay: ['b2'], refused: ['b1'] });
});

test('a signal that is aborted after the place was taken keeps nobody of its key from a turn', async () => {
  const { underWay, begin, end } = visits({ total: 1 });
  const late = new AbortController();
  await begin('a1');
  await begin('b1', late.signal);
  await end('a1');
  await begin('b2');
  late.abort();
  await end('b1');
  expect(underWay).toEqual(['b2']);
});

test('a signal that is aborted already takes no place', async () => {
  const { underWay, refused, begin } = visits({ total: 1 });
  await begin('a1', AbortSignal.abort());
  await begin('b1');
  expect({ underWay, refused }).toEqual({ underWay: ['b1'], refused: ['a1'] });
});

/** Seconds as whole numbers; whoever waits longer than the patience gives up. */
const patience = 10;

/**
 * Simulates accounts that occupy places for so many seconds each and always have `wants` visits
 * under way or waiting, and another one that comes once each second. Returns how long that one waited,
 * how often in vain, and how many visits it and the busiest of the others made.
 */
async function simulate(rivals: { accounts: number; wants: number; holdsFor: number }) {
  const places = createFairPlaces({ total: 8, waitingPerKey: 16, sparing: true });
  const due: { at: number; run: () => void }[] = [];
  const waits: number[] = [];
  let inVain = 0;
  let now = 0;

  const visit = async (key: string, holdsFor: number): Promise<number | undefined> => {
    const cameAt = now;
    const giveUp = new AbortController();
    due.push({ at: now + patience, run: () => giveUp.abort() });
    const leave = await places.enter(key, giveUp.signal).catch(() => undefined);
    if (!leave) return undefined;
    const waited = now - cameAt;
    await new Promise<void>((run) => due.push({ at: now + holdsFor, run }));
    leave();
    return waited;
  };
  const rivalVisits = new Map<string, number>();
  const occupy = async (key: string) => {
    while (now < 300) {
      const waited = await visit(key, rivals.holdsFor);
      if (waited !== undefined) rivalVisits.set(key, (rivalVisits.get(key) ?? 0) + 1);
    }
  };
  for (let account = 0; account < rivals.accounts; account++) {
    for (let want = 0; want < rivals.wants; want++) void occupy(`rival ${account}`);
  }
  for (now = 0; now < 320; now++) {
    for (let run = take(); run; run = take()) run();
    await turn();
    if (now >= 300) continue;
    void visit('victim', 1).then((waited) => {
      if (waited === undefined) inVain += 1;
      else waits.push(waited);
    });
    await turn();
  }
  return {
    longestWait: Math.max(...waits),
    inVain,
    visits: waits.length,
    rivalVisits: Math.max(...rivalVisits.values()),
  };

  function take() {
    const index = due.findIndex(({ at }) => at <= now);
    return index < 0 ? undefined : due.splice(index, 1)[0]?.run;
  }
}

describe('an account with a video each second, beside others that occupy places for long', () => {
  test.each([1, 2, 3])('%i others with 8 each: it never waits', async (accounts) => {
    const rivals = { accounts, wants: 8, holdsFor: 60 };
    expect(await simulate(rivals)).toMatchObject({ longestWait: 0, inVain: 0, visits: 300 });
  });

  test('50 others: it has as many turns as any of them, and none waits beyond its patience', async () => {
    const { longestWait, visits, rivalVisits } = await simulate({
      accounts: 50,
      wants: 8,
      holdsFor: 10,
    });
    expect(longestWait).toBeLessThanOrEqual(patience);
    expect(visits).toBeGreaterThanOrEqual(rivalVisits);
  });
});

describe('a task that needs a place', () => {
  const refused = () => new Error('refused');

  test('runs when there is one, and gives it back whether it succeeds or fails', async () => {
    const places = createFairPlaces({ total: 1, waitingPerKey: 1 });
    const rules = { waitMs: 60_000, refused };
    const order: string[] = [];
    const task = (name: string) => async () => {
      order.push(name);
      if (name === 'fails') throw new Error(name);
      return name;
    };
    const results = await Promise.allSettled([
      runInPlace(places, 'a', rules, task('fails')),
      runInPlace(places, 'b', rules, task('waits')),
    ]);
    expect(results).toMatchObject([
      { status: 'rejected', reason: { message: 'fails' } },
      { status: 'fulfilled', value: 'waits' },
    ]);
    expect(await runInPlace(places, 'a', rules, task('last'))).toBe('last');
    expect(order).toEqual(['fails', 'waits', 'last']);
  });

  test('takes as many as it weighs', async () => {
    const places = createFairPlaces({ total: 4, waitingPerKey: 1 });
    const rules = { waitMs: 60_000, refused };
    const first = await enterPlace(places, 'a', { ...rules, weight: 3 });
    const task = jest.fn(async () => {});
    const second = runInPlace(places, 'b', { ...rules, weight: 2 }, task);
    await turn();
    expect(task).not.toHaveBeenCalled();
    first();
    await second;
    expect(task).toHaveBeenCalledTimes(1);
  });

  test('is refused where as many wait as may, and where none comes free in time', async () => {
    const places = createFairPlaces({ total: 1, waitingPerKey: 1 });
    const leave = await places.enter('a', new AbortController().signal);
    const task = jest.fn();
    const attempt = (waitMs: number) => runInPlace(places, 'a', { waitMs, refused }, task);
    const late = attempt(1);
    await expect(attempt(60_000)).rejects.toThrow('refused');
    await expect(late).rejects.toThrow('refused');
    expect(task).not.toHaveBeenCalled();
    leave?.();
    await expect(attempt(60_000)).resolves.toBeUndefined();
    expect(task).toHaveBeenCalledTimes(1);
  });
});

test('what takes many places waits for them, and what takes few does not overtake it', async () => {
  const { underWay, begin, end } = visits({ total: 4 });
  const { signal } = new AbortController();
  await begin('a1', signal, 3);
  await begin('b1', signal, 3);
  await begin('c1', signal, 1);
  expect(underWay).toEqual(['a1']);
  await end('a1');
  expect(underWay).toEqual(['b1', 'c1']);
});

test('what takes many places does not begin with the first that comes free', async () => {
  const { underWay, begin, end } = visits({ total: 3 });
  for (const name of ['a1', 'b1', 'c1']) await begin(name);
  await begin('d1', undefined, 2);
  await end('a1');
  expect(underWay).toEqual(['b1', 'c1']);
  await end('b1');
  expect(underWay).toEqual(['c1', 'd1']);
});

test('what takes more places than there are gets all of them', async () => {
  const { underWay, begin, end } = visits({ total: 4 });
  const { signal } = new AbortController();
  await begin('a1', signal, 1);
  await begin('b1', signal, 9);
  expect(underWay).toEqual(['a1']);
  await end('a1');
  await begin('c1', signal, 1);
  expect(underWay).toEqual(['b1']);
  await end('b1');
  expect(underWay).toEqual(['c1']);
  // It gives back no more than it had.
  await begin('d1', signal, 4);
  expect(underWay).toEqual(['c1']);
});

test('who gives up waiting for many places lets those behind go on', async () => {
  const { underWay, refused, begin } = visits({ total: 4 });
  const giving = new AbortController();
  await begin('a1', new AbortController().signal, 3);
  await begin('b1', giving.signal, 3);
  await begin('c1', new AbortController().signal, 1);
  giving.abort();
  await turn();
  expect([underWay, refused]).toEqual([['a1', 'c1'], ['b1']]);
});

test('a key that has all of its visits keeps nobody else waiting', async () => {
  const { underWay, begin } = visits({ total: 4, perKey: 1 });
  for (const name of ['a1', 'a2', 'b1']) await begin(name);
  expect(underWay).toEqual(['a1', 'b1']);
});

test('a place that is given back rests for as long as it is told, by its key and by how long it was used', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  const { underWay, begin, end } = visits({
    total: 1,
    restMs: (key, usedMs) => (key === 'a' ? usedMs : 0),
  });
  for (const name of ['a1', 'b1', 'c1']) await begin(name);
  jest.advanceTimersByTime(50);
  await end('a1');
  jest.advanceTimersByTime(49);
  await turn();
  expect(underWay).toEqual([]);
  jest.advanceTimersByTime(1);
  await turn();
  expect(underWay).toEqual(['b1']);
  jest.advanceTimersByTime(50);
  await end('b1');
  expect(underWay).toEqual(['c1']);
});
