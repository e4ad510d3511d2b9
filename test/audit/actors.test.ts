import { createApiKey, deleteApiKey, updateApiKey } from '@/src/api-keys/api-keys';
import { commandLine } from '@/src/audit/actor';
import { database } from '@/src/database/client';
import { createAccount, createTenant } from '../helpers/accounts';
import { signUp } from '../helpers/session';
import { change, entriesOf } from './audit';

const url = 'https://receiver.example/hooks';
const events = ['testimonial.created'];

describe('who did it is', () => {
  const headers = (cookie: string, address: string) => ({ cookie, 'x-forwarded-for': address });

  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ])('a person, by e-mail address, from the address range of %s', async (from, address) => {
    const { accountId, cookie, email } = await signUp();
    const key = { name: 'Website', scopes: ['read'] };
    await change('apiKeys.create', key, headers(cookie, from));
    const endpoint = { url, event_types: events };
    await change('webhooks.endpoints.create', endpoint, headers(cookie, from));
    const actor = { type: 'session', name: email, hint: null, address };
    const entries = await entriesOf(accountId);
    expect(entries.map((entry) => entry.actor)).toEqual([actor, actor]);
  });

  test('the address of that time, whatever it is changed to', async () => {
    const { accountId, cookie, email } = await signUp();
    await change('apiKeys.create', { name: 'Website', scopes: ['read'] }, { cookie });
    const other = `other-${email}`;
    await database().user.update({ where: { id: accountId }, data: { email: other } });
    const [entry] = await entriesOf(accountId);
    expect(entry?.actor.name).toBe(email);
  });

  test('a key, by name and hint, and stays so when it is deleted', async () => {
    const { accountId, api } = await createTenant();
    const { id, hint } = await database().apiKey.findFirstOrThrow({ where: { userId: accountId } });
    const { body } = await api.post('/webhook-endpoints', { url, event_types: events });
    const path = `/webhook-endpoints/${body.data.id}`;
    await api.patch(path, { enabled: false });
    await api.delete(path);
    await deleteApiKey(accountId, id, commandLine);
    const entries = await entriesOf(accountId);
    const ofEndpoint = entries.filter(({ subject }) => subject.type === 'webhook_endpoint');
    expect(ofEndpoint.map(({ action }) => action)).toEqual(['deleted', 'paused', 'created']);
    for (const { actor } of ofEndpoint) {
      expect(actor).toEqual({ type: 'api_key', name: 'Test', hint, address: null });
    }
  });

  test('whoever runs the service, by its commands', async () => {
    const accountId = await createAccount();
    const { id } = await createApiKey(accountId, { name: 'A', scopes: ['read'] }, commandLine);
    await updateApiKey(accountId, id, { enabled: false }, commandLine);
    const entries = await entriesOf(accountId);
    expect(entries.map(({ actor }) => actor.type)).toEqual(['command_line', 'command_line']);
  });
});
