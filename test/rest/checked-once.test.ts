import { requireScope } from '@/src/api/principal';
import { findRoute, routes } from '@/src/operations';
import { createTenant } from '../helpers/accounts';
import { send } from '../helpers/client';

// As they are, and counted.
jest.mock('@/src/api/principal', () => {
  const actual = jest.requireActual('@/src/api/principal');
  return { ...actual, requireScope: jest.fn(actual.requireScope) };
});
// What has taken its time looks the key up once more, which a slow machine makes of any request.
jest.mock('@/src/api/access', () => ({ createLaterCheck: () => async () => {} }));
jest.mock('@/src/operations', () => {
  const actual = jest.requireActual('@/src/operations');
  return { ...actual, findRoute: jest.fn(actual.findRoute) };
});

test.each<[method: string, template: string, scope: string, json: object | undefined]>([
  ['GET', '/spaces', 'read', undefined],
  ['GET', '/me', 'any', undefined],
  ['GET', '/spaces/{id}', 'read', undefined],
  ['HEAD', '/spaces/{id}/', 'read', undefined],
  ['POST', '/spaces', 'write', { name: 'A space' }],
  ['PATCH', '/spaces/{id}', 'write', { name: 'Another name' }],
  ['DELETE', '/spaces/{id}', 'delete', undefined],
])('%s %s: the route is matched once, and the scope checked once', async (...of) => {
  const [method, template, scope, json] = of;
  const { api, accountId, space } = await createTenant();
  const path = template.replace('{id}', (await space()).id);
  const tries = routes.map(({ pattern }) => jest.spyOn(pattern, 'test'));
  jest.mocked(findRoute).mockClear();
  jest.mocked(requireScope).mockClear();

  const options = { key: api.key, headers: { 'idempotency-key': 'A' }, ...(json && { json }) };
  const { status } = await send(method, path, options);

  expect(status).toBeLessThan(300);
  expect(jest.mocked(findRoute).mock.calls).toEqual([[path]]);
  // Nor by another way: no pattern is tried twice, and only one of them fits.
  expect(tries.filter(({ mock }) => mock.calls.length > 1)).toEqual([]);
  const found = tries.flatMap(({ mock }) => mock.results.filter(({ value }) => value));
  expect(found).toHaveLength(template.includes('{') ? 1 : 0);
  expect(jest.mocked(requireScope).mock.calls).toEqual([
    [expect.objectContaining({ accountId }), scope],
  ]);
});
