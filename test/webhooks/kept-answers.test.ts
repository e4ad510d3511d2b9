import { env } from '@/src/env';
import { webhookLimits } from '@/src/webhooks/limits';
import { createKeptAnswers, keptAnswers } from '@/src/webhooks/sending/kept-answers';
import { drainAt } from '../helpers/drain';
import { hourMs } from '../helpers/durations';
import { withOwnDatabase } from '../helpers/own-database';
import { answerWith } from './receiver';
import { newSending } from './sending';

withOwnDatabase();

const { answerBytes, answerBytesPerDay, logDays } = webhookLimits;
const dayMs = 24 * hourMs;

const answered = {
  durationMs: 5,
  status: 200,
  errorClass: null,
  responseHeaders: [],
  responseBody: 'x'.repeat(answerBytes),
  retryAfter: undefined,
  answeredAt: new Date(),
};
const withoutWords = { ...answered, responseHeaders: null, responseBody: null };

/** Answers enough for a day. */
function fill(answers: ReturnType<typeof createKeptAnswers>, accountId: string): void {
  for (let bytes = 0; bytes < answerBytesPerDay; bytes += answerBytes) {
    answers.keep(accountId, answered);
  }
}

test('of what is answered to an account, as much is kept as it may have in a day, less than the quota in all days that it is kept', () => {
  expect(answerBytesPerDay * logDays).toBeLessThan(env().ACCOUNT_QUOTA_BYTES);
  let now = 1;
  const answers = createKeptAnswers(() => now);
  expect(answers.keep('a', answered)).toEqual(answered);
  // The day has begun with the first.
  now += dayMs / 2;
  fill(answers, 'a');
  expect(answers.keep('a', answered)).toEqual(withoutWords);
  expect(answers.keep('b', answered)).toEqual(answered);
  now += dayMs / 2 - 1;
  expect(answers.keep('a', answered)).toEqual(withoutWords);
  now += 2;
  expect(answers.keep('a', answered)).toEqual(answered);
});

test('where no answer came, nothing is taken from the result', () => {
  const answers = createKeptAnswers();
  fill(answers, 'a');
  const failed = { ...withoutWords, status: null, errorClass: 'timeout' as const };
  expect(answers.keep('a', failed)).toBe(failed);
});

test('beyond it a delivery has its outcome, and of the answer the status alone', async () => {
  const { tenant, write, webhooks, deliveries } = await newSending((response) =>
    answerWith(response, 200, { 'x-answer': 'yes' }),
  );
  fill(keptAnswers(), tenant.accountId);
  await write();
  await drainAt();
  const [{ id } = { id: '' }] = await deliveries();
  expect(await webhooks.deliveries.get({ id })).toMatchObject({
    state: 'succeeded',
    attempts: [{ response_status: 200, response_headers: null, response_body: null }],
  });
});
