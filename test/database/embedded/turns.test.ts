import { createTurns } from '@/src/database/embedded/turns';

/** Turns by a clock that is set, and who has begun theirs, in order. */
function byHand() {
  let now = 0;
  const turns = createTurns(() => now);
  const begun: string[] = [];
  const people = new Map<string, { name: string }>();
  const person = (name: string) => {
    const known = people.get(name) ?? { name };
    people.set(name, known);
    return known;
  };
  return {
    begun,
    take: (name: string, isLong = false) => {
      void turns.take(person(name), { isLong }).then((granted) => granted && begun.push(name));
    },
    pass: (ms: number) => {
      now += ms;
    },
    /** Ends the turn of who has it after so many milliseconds. */
    end: async (name: string, afterMs: number) => {
      now += afterMs;
      turns.release(person(name));
      await Promise.resolve();
      await Promise.resolve();
    },
    giveUp: (name: string) => turns.giveUpWaiting(person(name)),
  };
}

test('turns come in the order in which they were asked for', async () => {
  const { begun, take, end, giveUp } = byHand();
  for (const name of ['a', 'b', 'c', 'd']) take(name);
  giveUp('c');
  await end('a', 1);
  await end('b', 1);
  await end('d', 1);
  expect(begun).toEqual(['a', 'b', 'd']);
});

test('whoever gives up waiting is told so, and waits no more', async () => {
  const turns = createTurns(() => 0);
  const [first, second] = [{}, {}];
  await turns.take(first);
  const taken = turns.take(second);
  turns.giveUpWaiting(second);
  expect(await taken).toBe(false);
  turns.release(first);
  expect(turns.isHeldBy(second)).toBe(false);
});

test('a long one leaves those who wait as much time as it has taken, and no more', async () => {
  const { begun, take, end } = byHand();
  take('long', true);
  take('longer', true);
  for (const name of ['a', 'b', 'c']) take(name);
  await end('long', 100);
  await end('a', 60);
  await end('b', 60);
  await end('longer', 200);
  await end('c', 10);
  expect(begun).toEqual(['long', 'a', 'b', 'longer', 'c']);
});

test('what is owed to others is as long as the last long one, and not as all of them', async () => {
  const { begun, take, end } = byHand();
  take('long', true);
  take('longer', true);
  await end('long', 100);
  take('longest', true);
  for (const name of ['a', 'b']) take(name);
  await end('longer', 50);
  await end('a', 60);
  expect(begun).toEqual(['long', 'longer', 'a', 'longest']);
});

test('a transaction has taken as long as it is since its first statement', async () => {
  const { begun, take, pass, end } = byHand();
  take('transaction', true);
  pass(60);
  take('transaction');
  take('longer', true);
  for (const name of ['a', 'b']) take(name);
  await end('transaction', 40);
  await end('a', 60);
  expect(begun.slice(2)).toEqual(['a', 'b']);
});

test('who has no turn ends nobody’s', async () => {
  const { begun, take, end } = byHand();
  for (const name of ['a', 'b']) take(name);
  await end('b', 1);
  expect(begun).toEqual(['a']);
  await end('a', 1);
  expect(begun).toEqual(['a', 'b']);
});

test('a long one waits for nobody where nobody waits', async () => {
  const { begun, take, end } = byHand();
  take('long', true);
  take('longer', true);
  await end('long', 100);
  expect(begun).toEqual(['long', 'longer']);
});

test('a transaction is long where one of its statements is', async () => {
  const { begun, take, end } = byHand();
  take('transaction');
  take('transaction', true);
  take('transaction');
  take('longer', true);
  take('a');
  await end('transaction', 100);
  await end('a', 10);
  expect(begun.slice(3)).toEqual(['a', 'longer']);
});
