import { createAccount } from '../helpers/accounts';
import { callerOf } from '../helpers/caller';
import { during, onServer } from '../helpers/locks';
import { entriesOf, told } from './audit';

onServer(
  'a key is told of by what it was when it was changed, not when that was asked',
  async () => {
    const accountId = await createAccount();
    const { apiKeys } = callerOf(accountId);
    const { id } = await apiKeys.create({ name: 'Website', scopes: ['read'] });
    const rename = `UPDATE api_keys SET enabled = false, name = 'Shop' WHERE id = $1`;
    await during([rename, id], () => apiKeys.update({ id, enabled: false, name: 'Blog' }));
    expect(await apiKeys.get({ id })).toMatchObject({ enabled: false, name: 'Blog' });
    const [entry, ...earlier] = (await entriesOf(accountId)).map(told);
    expect(entry).toEqual({
      action: 'updated',
      name: 'Blog',
      changes: { name: { before: 'Shop', after: 'Blog' } },
    });
    expect(earlier).toMatchObject([{ action: 'created' }]);
  },
);

onServer('so is an endpoint', async () => {
  const accountId = await createAccount();
  const { endpoints } = callerOf(accountId).webhooks;
  const url = 'https://receiver.example/hooks';
  const { id } = await endpoints.create({ url, event_types: ['testimonial.created'] });
  const rename = `UPDATE webhook_endpoints SET enabled = false, description = 'Shop' WHERE id = $1`;
  await during([rename, id], () => endpoints.update({ id, enabled: false, description: 'Blog' }));
  expect(await endpoints.get({ id })).toMatchObject({ status: 'paused', description: 'Blog' });
  const [entry, ...earlier] = (await entriesOf(accountId)).map(told);
  expect(entry).toEqual({
    action: 'updated',
    name: url,
    changes: { description: { before: 'Shop', after: 'Blog' } },
  });
  expect(earlier).toMatchObject([{ action: 'created' }]);
});
