import { database } from '@/src/database/client';
import { env } from '@/src/env';
import { createTenant } from '../helpers/accounts';
import { describeOnServer } from '../helpers/locks';
import { withOwnDatabase } from '../helpers/own-database';
import { askAuth, password, signUp } from '../helpers/session';
import { query, setForSessions } from './query';

describeOnServer('a database whose search_path leads to another schema than public', () => {
  withOwnDatabase();

  beforeAll(async () => {
    const { DATABASE_URL = '' } = env();
    await setForSessions(DATABASE_URL, 'search_path = absent, "of the service"');
    await query(DATABASE_URL, 'ALTER SCHEMA public RENAME TO "of the service"');
    await query(DATABASE_URL, 'CREATE SCHEMA public; CREATE TABLE public.users (id uuid)');
  });

  test('serves people and keys from there, whatever tables public has', async () => {
    const { email } = await signUp();
    expect((await askAuth('/sign-in/email', { email, password })).status).toBe(200);
    const tenant = await createTenant();
    const { id } = await tenant.space();
    expect((await tenant.testimonial(id)).space_id).toBe(id);
    const where = { id: tenant.accountId };
    await database().$transaction((tx) => tx.user.update({ where, data: { name: 'Another' } }));
    expect(await database().user.findUnique({ where })).toMatchObject({ name: 'Another' });
  });
});
