import { QueryClient } from '@tanstack/react-query';
import { createTRPCClient, TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from '@/src/router';
import { lookAfterChanges } from '@/src/ui/calls/changes-link';
import { describeError, isUncertain, SpokenError } from '@/src/ui/calls/errors';
import { withNavigator } from '../helpers/navigator';

const browser = withNavigator();

/** What a procedure, or something between, has answered; nothing where nobody did. */
type Answer = { code?: string; status?: number; headers?: Record<string, string> };

function failure({ code, status, headers = {} }: Answer): TRPCClientError<AppRouter> {
  const response = status === undefined ? undefined : new Response(null, { status, headers });
  const meta = response && { response };
  return code === undefined
    ? TRPCClientError.from(new Error('no answer'), { meta })
    : TRPCClientError.from({ error: { code: -1, message: 'Said so.', data: { code } } }, { meta });
}

/** Calls a procedure that fails so, and returns what is told of it and whether all is read anew. */
async function fails(
  answer: Answer,
  { type = 'mutation', meanwhile = () => {} } = {},
): Promise<{ error: unknown; isReadAnew: boolean }> {
  const cache = new QueryClient();
  const invalidate = jest.spyOn(cache, 'invalidateQueries');
  const failing: TRPCLink<AppRouter> = () => () =>
    observable(({ error }) => {
      meanwhile();
      error(failure(answer));
    });
  const client = createTRPCClient<AppRouter>({ links: [lookAfterChanges(cache), failing] });
  const called =
    type === 'mutation' ? client.spaces.create.mutate({ name: 'A' }) : client.spaces.list.query({});
  const error: unknown = await called.catch((error: unknown) => error);
  return { error, isReadAnew: invalidate.mock.calls.length > 0 };
}

const mayBeDone = /^No answer came from the service, so this may be done or not\./;
const notReached = /^The service could not be reached\./;

test.each<[string, Answer, RegExp]>([
  ['nobody answered', {}, mayBeDone],
  ['a page said 200', { status: 200 }, mayBeDone],
  ['a page said 399', { status: 399 }, mayBeDone],
  ['a gateway failed', { status: 502 }, /^The service cannot answer just now\./],
  ['the service failed with a page', { status: 500 }, /^The service cannot answer just now\./],
  ['the service failed', { code: 'INTERNAL_ERROR', status: 500 }, /^Something went wrong on our/],
  ['its first try is under way', { code: 'IDEMPOTENCY_KEY_IN_USE' }, /^Your first try is still/],
  ['its first try was done', { code: 'IDEMPOTENCY_KEY_REUSED' }, /^Your first try was done/],
])('a change of which %s may be made, and all is read anew', async (_, answer, words) => {
  const { error, isReadAnew } = await fails(answer);
  expect([isReadAnew, isUncertain(error)]).toEqual([true, true]);
  expect(describeError(error)).toMatch(words);
});

test.each<[string, Answer, RegExp]>([
  ['that is not valid', { code: 'VALIDATION_ERROR', status: 400 }, /^Something in the form/],
  ['that a page refused', { status: 403 }, /^This was refused on its way to the service \(403\)/],
  ['that a page refused first', { status: 400 }, /^This was refused on its way.* \(400\)/],
  ['that was too much', { status: 429, headers: { 'Retry-After': '5' } }, /in 5 seconds\.$/],
  ['with a word of its own', { code: 'SLUG_TAKEN', status: 409 }, /^Said so\.$/],
  ['that was signed out', { code: 'UNAUTHORIZED', status: 401 }, /^You were signed out/],
])('a change %s is not made, and nothing is read anew', async (_, answer, words) => {
  const { error, isReadAnew } = await fails(answer);
  expect([isReadAnew, isUncertain(error)]).toEqual([false, false]);
  expect(describeError(error)).toMatch(words);
});

test('a change of something that is gone is not made, and all is read anew', async () => {
  const { error, isReadAnew } = await fails({ code: 'SPACE_NOT_FOUND', status: 404 });
  expect([isReadAnew, isUncertain(error)]).toEqual([true, false]);
  expect(describeError(error)).toBe('This space was deleted meanwhile.');
});

test('offline no change was sent', async () => {
  browser.onLine = false;
  const { error, isReadAnew } = await fails({});
  expect([isReadAnew, isUncertain(error)]).toEqual([false, false]);
  expect(describeError(error)).toMatch(notReached);
});

test('a change that was sent may be made, although the network was lost meanwhile', async () => {
  const meanwhile = () => {
    browser.onLine = false;
  };
  const { error, isReadAnew } = await fails({}, { meanwhile });
  expect([isReadAnew, isUncertain(error)]).toEqual([true, true]);
  expect(describeError(error)).toMatch(mayBeDone);
});

test.each<Answer>([{}, { code: 'SPACE_NOT_FOUND' }, { status: 500 }])(
  'a read that fails has nothing read anew: %j',
  async (answer) => {
    const { error, isReadAnew } = await fails(answer, { type: 'query' });
    expect(isReadAnew).toBe(false);
    expect(describeError(error)).not.toMatch(mayBeDone);
  },
);

test('what is written for the person is told as it is, and of other failures no word', () => {
  expect(describeError(new SpokenError('Choose a smaller picture.'))).toBe(
    'Choose a smaller picture.',
  );
  expect(describeError(new Error('undefined is no function'))).toMatch(notReached);
});
