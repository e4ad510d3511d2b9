import { run } from './run';

/** What a command says that fails with this. */
async function saidOf(error: unknown) {
  const work = async () => {
    throw error;
  };
  return run({ usage: '', opensDatabase: false, read: () => work }, []);
}

test.each<[string, unknown, string]>([
  ['an error', new Error('No room.'), 'No room.'],
  // As of a server at localhost, which has two addresses, that went away in the midst.
  [
    'one without a message that holds others',
    new AggregateError([new Error('connect ECONNREFUSED ::1:1'), new Error('connect …')]),
    'connect ECONNREFUSED ::1:1',
  ],
  ['one that says nothing', new TypeError(), 'TypeError'],
  ['what is no error', 'text', 'text'],
])('%s a command fails with is one line that says something', async (_, error, said) => {
  expect(await saidOf(error)).toEqual({ code: 1, printed: [], said: [said] });
});
