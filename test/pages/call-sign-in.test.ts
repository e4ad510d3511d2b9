import { unreached, wordsForSignedOut } from '@/src/ui/calls/failure-words';
import { callSignIn } from '@/src/ui/session/call-sign-in';
import { signedOut } from '@/src/ui/session/signed-out';
import { withNavigator } from '../helpers/navigator';
import { promised } from '../helpers/promised';

const ifSent = 'That may be done or not.';
const ours = 'Something went wrong on our side. Try again in a moment.';

const browser = withNavigator();

afterEach(() => signedOut.note(false));

const page = (status: number, headers: Record<string, string> = {}) =>
  new Response('<h1>A page</h1>', { status, headers });
const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers });

/** What is said of a change that is answered so. */
function answered(answer: Response | Error, options: Parameters<typeof callSignIn>[2] = {}) {
  const ask = jest.spyOn(global, 'fetch');
  if (answer instanceof Error) ask.mockRejectedValueOnce(answer);
  else ask.mockResolvedValueOnce(answer);
  return callSignIn('/change', { to: 'this' }, options);
}

test('it is sent as JSON, and waited for as long as pages wait', async () => {
  const timeout = jest.spyOn(AbortSignal, 'timeout');
  expect(await answered(json(200, { token: 'a' }))).toEqual({ data: { token: 'a' } });
  expect(timeout).toHaveBeenCalledWith(60_000);
  expect(fetch).toHaveBeenCalledWith('/api/auth/change', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"to":"this"}',
    signal: timeout.mock.results[0]?.value,
  });
});

test.each([
  ['no answer', new TypeError('Failed to fetch')],
  ['a page that says 200', page(200)],
  ['a gateway that lost the answer', page(502)],
  ['a gateway that waited too long', page(504)],
])(
  'of %s it is said that it may be done, where that is known not to be certain',
  async (_, lost) => {
    const outcome = { problem: ifSent, mayPass: true, mayBeDone: true };
    expect(await answered(lost, { ifSent })).toEqual(outcome);
  },
);

test.each([
  ['no answer', new TypeError('Failed to fetch'), unreached],
  ['a page that says 200', page(200), unreached],
  ['a gateway', page(504), 'The service cannot answer just now. Try again in a moment.'],
])('where it does no harm twice, %s is told as such', async (_, lost, problem) => {
  expect(await answered(lost)).toMatchObject({ problem, mayPass: true });
});

test('offline nothing was sent', async () => {
  browser.onLine = false;
  const lost = new TypeError('Failed to fetch');
  const outcome = { problem: unreached, mayPass: true, mayBeDone: false };
  expect(await answered(lost, { ifSent })).toEqual(outcome);
});

test.each([
  [
    'too many tries',
    json(429, { code: 'RATE_LIMIT_EXCEEDED' }, { 'Retry-After': '900' }),
    true,
    'Too many tries. Try again in 15 minutes.',
  ],
  [
    'too many at once',
    json(503, { code: 'OVERLOADED' }, { 'Retry-After': '5' }),
    true,
    'The service cannot answer just now. Try again in 5 seconds.',
  ],
  ['a failure of the service', json(502, { code: 'FAILED', message: 'ECONNREFUSED' }), true, ours],
  [
    'a service that is away',
    page(503),
    true,
    'The service cannot answer just now. Try again in a moment.',
  ],
  [
    'what a proxy refuses',
    page(413),
    false,
    'That is more than can be sent at once. Shorten it, or choose less.',
  ],
  [
    'what is forbidden',
    json(403, { code: 'SIGN_UP_CLOSED', message: 'Sign-up is closed.' }),
    false,
    'Sign-up is closed.',
  ],
  [
    'a link that is over',
    json(410, { code: 'GONE', message: 'It is over.' }),
    false,
    'It is over.',
  ],
  ['what cannot be', json(422, { code: 'WEAK', message: 'Too short.' }), false, 'Too short.'],
  ['a text that is for no person', json(400, { code: 'BAD', message: 'zod' }), false, ours],
  ['a message that is none', json(422, { code: 'BAD', message: { a: 1 } }), false, ours],
])('%s is told in words, and whether it may pass', async (_, answer, mayPass, problem) => {
  const outcome = { problem, mayPass, isSignedOut: false };
  expect(await answered(answer, { ifSent })).toEqual(outcome);
});

test('a code that the form has words for is told by these', async () => {
  const problems = { WRONG: 'That is not your password.' };
  const outcome = await answered(json(422, { code: 'WRONG', message: 'no' }), { problems });
  expect(outcome).toMatchObject({ problem: 'That is not your password.', mayPass: false });
});

describe('that the session is over', () => {
  const isOver = jest.fn();
  signedOut.onOver(isOver);
  beforeEach(() => isOver.mockClear());

  test('is told, and noted for the whole tab', async () => {
    const outcome = await answered(json(401, { code: 'UNAUTHORIZED' }));
    expect(outcome).toEqual({ problem: wordsForSignedOut, mayPass: false, isSignedOut: true });
    signedOut.note(false);
    expect(isOver).toHaveBeenCalledTimes(1);
  });

  test('is not noted of what was asked for before somebody signed in again', async () => {
    const { promise: late, resolve: answer } = promised<Response>();
    jest.spyOn(global, 'fetch').mockReturnValueOnce(late);
    const outcome = callSignIn('/change', {});
    signedOut.note(true);
    signedOut.note(false);
    answer(json(401, { code: 'UNAUTHORIZED' }));
    expect(await outcome).toMatchObject({ problem: wordsForSignedOut });
    signedOut.note(false);
    expect(isOver).toHaveBeenCalledTimes(1);
  });

  test('is not noted of other answers', async () => {
    await answered(json(403, { code: 'FORBIDDEN', message: 'no' }));
    signedOut.note(false);
    expect(isOver).not.toHaveBeenCalled();
  });
});
