import { type Scope, scope } from '@/src/api/scopes';
import { createKey, createTenant } from '../helpers/accounts';
import { send } from '../helpers/client';
import { digestOfAccount } from '../helpers/digest';
import { neededScopes, operationCases, perform } from './contract';

/** Every set that a key can have; none at all is refused by the database. */
const scopeSets: Scope[][] = [
  ['read'],
  ['write'],
  ['delete'],
  ['read', 'write'],
  ['read', 'delete'],
  ['write', 'delete'],
  ['read', 'write', 'delete'],
];

test('there are the three scopes of the contract', () => {
  expect(scope.options).toEqual(['read', 'write', 'delete']);
});

describe.each(operationCases)('%s', (_name, operation) => {
  const needed = neededScopes(operation);
  const isEnough = (scopes: Scope[]) => needed.every((scope) => scopes.includes(scope));

  test(`is open to every key that has ${needed.join(' and ')}`, async () => {
    const tenant = await createTenant();
    for (const scopes of scopeSets.filter(isEnough)) {
      const answer = await perform(operation, tenant, await createKey(tenant.accountId, scopes));
      expect([scopes, answer.status]).toEqual([scopes, operation.success]);
    }
  });

  test('answers every other key 403 INSUFFICIENT_SCOPE, and does nothing', async () => {
    const tenant = await createTenant();
    const { path, json } = await operation.prepare(tenant);
    const keys: { scopes: Scope[]; key: string }[] = [];
    for (const scopes of scopeSets.filter((set) => !isEnough(set))) {
      keys.push({ scopes, key: await createKey(tenant.accountId, scopes) });
    }
    // Whether a key was used is written down all the same.
    const digest = () => digestOfAccount(tenant.accountId, ['api_keys']);
    const before = await digest();
    for (const { scopes, key } of keys) {
      const answer = await send(operation.method, path, { key, ...(json ? { json } : {}) });
      expect([scopes, answer.status, answer.body.error.code]).toEqual([
        scopes,
        403,
        'INSUFFICIENT_SCOPE',
      ]);
      expect(answer.headers.has('x-ratelimit-remaining')).toBe(true);
    }
    expect(await digest()).toBe(before);
  });
});
