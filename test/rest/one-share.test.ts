/** What a person has in test mode counts with what they have live, where accounts share a process. */
import { rerunIfLarge } from '@/src/api/large-answers';
import { noteRequestOf } from '@/src/api/recent-accounts';
import { readJson } from '@/src/rest/input';
import { unsent } from '@/src/rest/unsent';
import { createKey } from '../helpers/accounts';
import { send } from '../helpers/client';
import { insertTestimonials } from '../helpers/rows';
import { signUpInTestMode } from '../helpers/test-mode';

// As they are, and told of.
jest.mock('@/src/api/large-answers', () => {
  const actual = jest.requireActual('@/src/api/large-answers');
  return { ...actual, rerunIfLarge: jest.fn(actual.rerunIfLarge) };
});
jest.mock('@/src/api/recent-accounts', () => {
  const actual = jest.requireActual('@/src/api/recent-accounts');
  return { ...actual, noteRequestOf: jest.fn(actual.noteRequestOf) };
});
jest.mock('@/src/rest/input', () => {
  const actual = jest.requireActual('@/src/rest/input');
  return { ...actual, readJson: jest.fn(actual.readJson) };
});

async function createTester() {
  const { person, test } = await signUpInTestMode();
  const key = await createKey(test.accountId);
  jest.clearAllMocks();
  return { key, live: person.accountId, ofTest: test.accountId };
}

test.each([
  ['without a key', {}],
  ['with an Idempotency-Key', { 'idempotency-key': 'the one' }],
])(
  'a request with a body, %s, waits and counts among those of the live account',
  async (_, headers) => {
    const { key, live } = await createTester();
    const { status } = await send('POST', '/spaces', { key, headers, json: { name: 'A space' } });
    expect(status).toBe(201);
    expect(jest.mocked(rerunIfLarge).mock.calls.map(([owner]) => owner)).toEqual([live]);
    expect(jest.mocked(noteRequestOf).mock.calls).toEqual([[live]]);
    expect(jest.mocked(readJson).mock.calls.map(([, { owner }]) => owner)).toEqual([live]);
  },
);

test('a large answer is held among those of the live account, until it is taken', async () => {
  const { key, live, ofTest } = await createTester();
  const { body } = await send('POST', '/spaces', { key, json: { name: 'A space' } });
  expect(body.data.user_id).toBe(ofTest);
  await insertTestimonials(body.data, [{ text_content: 'x'.repeat(50_000) }]);
  const hold = jest.spyOn(unsent(), 'hold');
  const answer = await send('GET', '/testimonials', { key });
  expect(answer.body.data).toHaveLength(1);
  expect(hold.mock.calls.map(([client]) => client)).toEqual([live]);
});
