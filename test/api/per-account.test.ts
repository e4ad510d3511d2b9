import { type PerAccount, perAccount, TooMuchAtOnceError } from '@/src/api/per-account';

/** Tasks that end when they are told to, in the order in which they began. */
function tasks(run: PerAccount) {
  const begun: { name: string; end: (error?: Error) => void }[] = [];
  return {
    names: () => begun.map(({ name }) => name),
    end: (name: string, error?: Error) => begun.find((task) => task.name === name)?.end(error),
    start: (accountId: string, name: string) =>
      run(
        accountId,
        () =>
          new Promise<string>((resolve, reject) => {
            begun.push({ name, end: (error) => (error ? reject(error) : resolve(name)) });
          }),
      ),
  };
}

/** Lets promises that are settled have their effect. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

const limits = { atOnce: 2, waiting: 2, waitMs: 60_000 };

test('so many tasks of an account run at once; more wait in order, also after one that fails', async () => {
  const { start, names, end } = tasks(perAccount(limits));
  const [first, second, third, fourth] = ['1', '2', '3', '4'].map((name) => start('a', name));
  await settle();
  expect(names()).toEqual(['1', '2']);
  const failed = expect(first).rejects.toThrow('Broken');
  end('1', new Error('Broken'));
  await failed;
  await settle();
  expect(names()).toEqual(['1', '2', '3']);
  end('3');
  expect(await third).toBe('3');
  await settle();
  expect(names()).toEqual(['1', '2', '3', '4']);
  end('2');
  end('4');
  expect(await Promise.all([second, fourth])).toEqual(['2', '4']);
});

test('no account waits for another', async () => {
  const { start, names, end } = tasks(perAccount(limits));
  const running = ['a1', 'a2', 'a3'].map((name) => start('a', name));
  running.push(start('b', 'b1'));
  await settle();
  expect(names()).toEqual(['a1', 'a2', 'b1']);
  for (const name of ['a1', 'b1', 'a2', 'a3']) {
    end(name);
    await settle();
  }
  await Promise.all(running);
});

test('one too many is refused at once, and there is room again when one has ended', async () => {
  const { start, names, end } = tasks(perAccount(limits));
  const running = ['1', '2', '3', '4'].map((name) => start('a', name));
  await expect(start('a', '5')).rejects.toThrow(TooMuchAtOnceError);
  end('1');
  await running[0];
  running.push(start('a', '6'));
  for (const name of ['2', '3', '4', '6']) {
    end(name);
    await settle();
  }
  await Promise.all(running);
  expect(names()).toEqual(['1', '2', '3', '4', '6']);
});

test('who has waited too long is refused and does not run', async () => {
  const { start, names, end } = tasks(perAccount({ ...limits, waitMs: 1 }));
  const running = [start('a', '1'), start('a', '2')];
  await expect(start('a', '3')).rejects.toThrow(TooMuchAtOnceError);
  for (const name of ['1', '2']) end(name);
  await Promise.all(running);
  expect(names()).toEqual(['1', '2']);
});
