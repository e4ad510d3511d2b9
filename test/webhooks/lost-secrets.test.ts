import { env, provideEnv } from '@/src/env';
import { log } from '@/src/logging/log';
import { lostSecretsWarning } from '@/src/webhooks/lost-secrets';
import { drainAt } from '../helpers/drain';
import { withOwnDatabase } from '../helpers/own-database';
import { newSending } from './sending';

withOwnDatabase();

const warning = () => lostSecretsWarning(env().DATABASE_URL ?? '');

test('a start with another SECRET_KEY than the one secrets were stored with is warned of', async () => {
  expect(await warning()).toBeUndefined();
  await newSending();
  expect(await warning()).toBeUndefined();
  const { SECRET_KEY: former = '' } = env();
  provideEnv({ SECRET_KEY: `another key ${crypto.randomUUID()}` });
  expect(await warning()).toMatch(/stored with another SECRET_KEY.*give it the key that it had/);
  provideEnv({ SECRET_KEY: former });
  expect(await warning()).toBeUndefined();
});

test('so is one since which an endpoint was made, or a secret rotated', async () => {
  const { webhooks, endpointId: id } = await newSending();
  await newSending();
  provideEnv({ SECRET_KEY: `another key ${crypto.randomUUID()}` });
  await newSending();
  await webhooks.endpoints.rotateSecret({ id });
  expect(await warning()).toMatch(/stored with another SECRET_KEY/);
});

test('of deliveries that it keeps back one in a minute is told of in the log', async () => {
  const warned = jest.spyOn(log(), 'warn').mockImplementation(() => {});
  const { write, deliveries, endpointId } = await newSending();
  provideEnv({ SECRET_KEY: `another key ${crypto.randomUUID()}` });
  for (let written = 0; written < 3; written += 1) await write();
  await drainAt();
  const [all, lines] = [await deliveries(), warned.mock.calls];
  warned.mockRestore();
  expect(all.map(({ error_class }) => error_class)).toEqual(Array(3).fill('signing_secret'));
  expect(lines).toEqual([[{ endpointId, times: 1 }, expect.stringContaining('SECRET_KEY')]]);
});
