import { endingWith } from '@/src/ending';

const failing = (message: string) => async () => {
  throw new Error(message);
};

test('what a task gives comes once its end is over', async () => {
  const done: string[] = [];
  const end = async () => void done.push('end');
  expect(await endingWith(end, async () => 'given')).toBe('given');
  expect(done).toEqual(['end']);
});

test('where the end alone fails, it is that', async () => {
  await expect(endingWith(failing('of the end'), async () => 1)).rejects.toThrow('of the end');
});

test.each([
  ['later', failing('of the end')],
  [
    'at once',
    () => {
      throw new Error('of the end');
    },
  ],
])(
  'a task that fails ends too, and is what is told also where its end fails %s',
  async (_, end) => {
    const ending = jest.fn(end);
    await expect(endingWith(ending, failing('of the task'))).rejects.toThrow('of the task');
    expect(ending).toHaveBeenCalledTimes(1);
  },
);
