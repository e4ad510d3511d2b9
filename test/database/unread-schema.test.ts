import { unreadSchemaWarning } from '@/src/database/unread-schema';

test('a schema in the address, which is not read, is told of at the start, but for the usual one', () => {
  const address = 'postgresql://me:s3cret@host/name?sslmode=require';
  const warning = unreadSchemaWarning({ DATABASE_URL: `${address}&schema=other` });
  expect(warning).toMatch(/^schema=other in DATABASE_URL is not read: .* take it out/);
  expect(warning).not.toContain('s3cret');
  for (const DATABASE_URL of [undefined, address, `${address}&schema=public`]) {
    expect(unreadSchemaWarning({ DATABASE_URL })).toBeUndefined();
  }
});
