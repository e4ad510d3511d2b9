import { provideEnv } from '@/src/env';
import { createTenant } from '../helpers/accounts';

afterEach(() => provideEnv({ RATE_LIMIT_REQUESTS: '' }));

test('a limit beyond what the document promises of the number is the highest that it does', async () => {
  const { api } = await createTenant();
  provideEnv({ RATE_LIMIT_REQUESTS: '99999999999' });
  const { body, headers } = await api.get('/me');
  const limit = 2 ** 31 - 1;
  expect(body).toMatchObject({ data: { rate_limit: { limit, remaining: limit - 1 } } });
  expect(headers.get('x-ratelimit-limit')).toBe(String(limit));
});
