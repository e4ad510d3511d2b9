import { database } from '@/src/database/client';

test('what stands only in SQL exists: the triggers that set updated_at', async () => {
  const triggers = await database().$queryRaw<{ name: string }[]>`
    SELECT tgname AS name FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname`;
  expect(triggers.map(({ name }) => name)).toEqual([
    'spaces_set_updated_at',
    'testimonials_set_updated_at',
  ]);
});
