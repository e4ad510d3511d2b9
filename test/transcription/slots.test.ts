import { Slots } from '@/src/transcription/slots';

const never = new AbortController().signal;
const turn = () => new Promise((done) => setImmediate(done));

/** Tasks that end when told to, and the names of those under way. */
function tasks(slots: Slots) {
  const underWay: string[] = [];
  const endings = new Map<string, () => void>();
  const start = (name: string, key: string, signal = never) =>
    slots.run(key, signal, async () => {
      underWay.push(name);
      await new Promise<void>((done) => endings.set(name, done));
      underWay.splice(underWay.indexOf(name), 1);
    });
  const end = async (name: string) => {
    endings.get(name)?.();
    await turn();
  };
  return { underWay, start, end };
}

test('no more than the total are under way; the others follow in order', async () => {
  const { underWay, start, end } = tasks(new Slots(2, 2));
  const all = ['a', 'b', 'c', 'd'].map((name) => start(name, 'one'));
  await turn();
  expect(underWay).toEqual(['a', 'b']);
  await end('a');
  expect(underWay).toEqual(['b', 'c']);
  await end('b');
  await end('c');
  await end('d');
  await Promise.all(all);
});

test('one key never takes all places', async () => {
  const { underWay, start, end } = tasks(new Slots(3, 2));
  const all = [start('a', 'one'), start('b', 'one'), start('c', 'one'), start('d', 'two')];
  await turn();
  expect(underWay).toEqual(['a', 'b', 'd']);
  await end('d');
  expect(underWay).toEqual(['a', 'b']);
  await end('a');
  expect(underWay).toEqual(['b', 'c']);
  await end('b');
  await end('c');
  await Promise.all(all);
});

test('who gives up waiting is passed over, and a failed task frees its place', async () => {
  const slots = new Slots(1, 1);
  const failing = slots.run('one', never, async () => {
    await turn();
    throw new Error('failed');
  });
  const impatient = new AbortController();
  const waiting = slots.run('two', impatient.signal, async () => 'impatient');
  const patient = slots.run('three', never, async () => 'patient');
  impatient.abort(new Error('gave up'));
  await expect(waiting).rejects.toThrow('gave up');
  await expect(failing).rejects.toThrow('failed');
  expect(await patient).toBe('patient');
});
