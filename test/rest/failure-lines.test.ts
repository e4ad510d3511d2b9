import { createLog } from '@/src/logging/log';
import { singleton } from '@/src/singleton';
import { send } from '../helpers/client';
import { askAuth, callTrpc } from '../helpers/session';

/** What everything that is asked of the database fails with. */
let mockMessage = 'the database is away';

jest.mock('@/src/api-keys/lookup', () => ({
  ...jest.requireActual('@/src/api-keys/lookup'),
  readKey: () => Promise.reject(new Error(mockMessage)),
}));
jest.mock('@/src/accounts/auth/session', () => ({
  ...jest.requireActual('@/src/accounts/auth/session'),
  sessionPrincipal: () => Promise.reject(new Error(mockMessage)),
}));
jest.mock('@/src/accounts/auth/throttle', () => ({
  ...jest.requireActual('@/src/accounts/auth/throttle'),
  countTry: () => Promise.reject(new Error(mockMessage)),
}));

let written: string[] = [];
// Before anything logs: there is one logger per process, and this makes it.
singleton('log', () => createLog('info', { write: (line) => written.push(line) }));

let now = 1_000_000;

beforeEach(() => {
  written = [];
  now += 60_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});

afterEach(() => jest.restoreAllMocks());

const lines = () => written.map((line) => JSON.parse(line));

const ask = {
  api: () => send('GET', '/spaces', { key: `sk_live_${'d'.repeat(64)}` }),
  page: () => callTrpc('query', 'spaces.list', {}),
  form: () => askAuth('/sign-in/email', { email: 'ada@example.com', password: 'wrong' }),
};

describe.each(Object.entries(ask))('what fails alike in every request (%s)', (_, request) => {
  test('is told whole once a second, with how often it was; each request keeps a line', async () => {
    mockMessage = `the database is away ${now}`;
    for (let count = 0; count < 5; count += 1) {
      const { status } = await request();
      expect(status).toBe(500);
    }
    now += 1_000;
    await request();
    const err = expect.objectContaining({ message: mockMessage });
    expect(lines()).toEqual([
      expect.objectContaining({ level: 50, code: 'INTERNAL_ERROR', err }),
      ...Array(4).fill(expect.objectContaining({ level: 30, code: 'INTERNAL_ERROR' })),
      expect.objectContaining({ level: 50, code: 'INTERNAL_ERROR', err, times: 5 }),
    ]);
    for (const { err: told } of lines().slice(1, 5)) expect(told).toBeUndefined();
  });

  test('hides no other failure', async () => {
    for (const kind of ['one', 'another']) {
      mockMessage = `${kind} ${now}`;
      await request();
    }
    expect(lines().map(({ err }) => err.message)).toEqual([`one ${now}`, `another ${now}`]);
  });
});

test('the line of every request that failed has the id that its client was told', async () => {
  const ids: unknown[] = [];
  for (let count = 0; count < 3; count += 1) {
    ids.push((await ask.api()).headers.get('x-request-id'));
  }
  expect(lines().map(({ requestId }) => requestId)).toEqual(ids);
});
