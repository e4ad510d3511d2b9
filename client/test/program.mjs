/**
 * A program of somebody who installed the package, for any runtime: `program.mjs URL KEY` goes
 * through what the client does against the service there, and prints `ok`.
 */
import {
  CursorExpiredError,
  Testimonials,
  TestimonialsError,
  verifyWebhook,
  WebhookVerificationError,
} from '@testimonials/client';

await main(...process.argv.slice(-2));
// biome-ignore lint/suspicious/noConsole: its result
console.log('ok');

async function main(baseUrl, apiKey) {
  let answersToLose = 1;
  const api = new Testimonials({
    baseUrl,
    apiKey,
    sleep: async () => {},
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (init.method === 'POST' && answersToLose-- > 0) throw new TypeError('lost');
      return response;
    },
  });
  const created = await api.createSpace({ name: 'A space' }).withResponse();
  check('replayed', created.isReplayed && created.attempts === 2);
  check('rate limit', created.rateLimit.remaining < created.rateLimit.limit);
  const space_id = created.body.data.id;
  const fields = { space_id, type: 'text', submitter_name: 'A', submitter_email: 'a@example.com' };
  const ids = [];
  for (const rating of [1, 2, 3]) {
    ids.unshift((await api.createTestimonial({ ...fields, rating })).data.id);
  }
  const walked = [];
  for await (const { id } of api.iterateTestimonials({ limit: 2 })) walked.push(id);
  check('walk', walked.join() === ids.join());

  const ending = new AbortController();
  const seen = [];
  try {
    for await (const { type } of api.followEvents({ limit: 3, signal: ending.signal })) {
      seen.push(type);
      if (seen.length === 4) setTimeout(() => void api.deleteSpace({ id: space_id }), 0);
      if (seen.length === 5) ending.abort(new Error('Enough'));
    }
  } catch (error) {
    check('abort', error.message === 'Enough');
  }
  check('feed', seen[0] === 'space.created' && seen[4] === 'space.deleted');

  const error = await api.getSpace({ id: space_id }).catch((reason) => reason);
  check('error', error instanceof TestimonialsError && error.requestId.length === 36);
  check('kinds of errors', !(error instanceof CursorExpiredError));
  // The example of the Standard Webhooks specification.
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  const now = () => 1614265330_000;
  const verify = (body) =>
    verifyWebhook(body, headers, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', { now });
  check('webhook', (await verify('{"test": 2432232314}')).test === 2432232314);
  const refusal = await verify('{"test": 2432232315}').catch((reason) => reason);
  check('forged webhook', refusal instanceof WebhookVerificationError);
}

function check(what, isRight) {
  if (!isRight) throw new Error(`Not as promised: ${what}`);
}
