import { setTimeout as sleep } from 'node:timers/promises';
import { inHeavyTurn } from '@/src/api/heavy-turns';
import { deleteApiKey } from '@/src/api-keys/api-keys';
import { digestKey } from '@/src/api-keys/key';
import { commandLine } from '@/src/audit/actor';
import { database } from '@/src/database/client';
import { createKey, createTenant } from '../helpers/accounts';
import { client } from '../helpers/client';

test('a read whose key is deleted while it waits for its turn is refused', async () => {
  const tenant = await createTenant();
  const { accountId } = tenant;
  const key = await createKey(accountId);
  const { id } = await database().apiKey.findFirstOrThrow({ where: { digest: digestKey(key) } });
  const ends: (() => void)[] = [];
  const held = [1, 2].map(() =>
    inHeavyTurn(accountId, () => new Promise<void>((resolve) => ends.push(resolve))),
  );
  const read = client(key).get('/testimonials?search=anything');
  // Longer than a key that was looked up is known for.
  await sleep(500);
  await deleteApiKey(accountId, id, commandLine);
  for (const end of ends) end();
  await Promise.all(held);
  const { status, body } = await read;
  expect([status, body.error.code]).toEqual([401, 'INVALID_API_KEY']);
});
