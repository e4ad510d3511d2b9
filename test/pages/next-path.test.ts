import { inMode, nextPath } from '@/app/sign-in/next-path';

test.each([
  '/webhooks',
  '/webhooks/8b1041cc-31ef-4367-a6e4-fcac532d9e13',
  '/account',
  '/webhooks/8b1041cc?state=failed&event=testimonial.created',
  '/requests?q=a%20b%2Fc',
])('after signing in one comes back to %s', (path) => expect(nextPath(path)).toBe(path));

test.each([
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  'https://evil.example/account',
  'javascript:alert(1)//x/account',
  'javascript:alert(1)',
  '/api/auth/sign-out',
  '/webhooks?x=//evil.example',
  '/.//evil.example',
  `/requests?q=${'a'.repeat(4000)}`,
  '',
  undefined,
  ['/webhooks', '/account'],
])('an address that says %j leads to the first page', (value) => {
  expect(nextPath(value)).toBe('/api-keys');
});

test.each([
  ['/spaces', 'live', '/spaces'],
  ['/spaces', 'test', '/spaces?mode=test'],
  ['/requests?status=5xx', 'test', '/requests?status=5xx&mode=test'],
  ['/requests?mode=test', 'test', '/requests?mode=test'],
  ['/requests?mode=test', 'live', '/requests?mode=test'],
] as const)('%s is, in %s mode, %s', (path, mode, address) =>
  expect(inMode(path, mode)).toBe(address),
);
