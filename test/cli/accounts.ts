import { database } from '@/src/database/client';
import { createTenant } from '../helpers/accounts';

/** An account with a space, and the options that name both to an import. */
export async function newAccount() {
  const tenant = await createTenant();
  const { email } = await database().user.findUniqueOrThrow({ where: { id: tenant.accountId } });
  const space = (await tenant.space()).id;
  return { tenant, space, to: ['--email', email, '--space', space], email };
}

export type Row = Record<string, unknown>;

/** Its testimonials, oldest first, as the API has them. */
export const rowsOf = async ({
  api,
}: {
  api: { get(path: string): Promise<{ body: { data: Row[] } }> };
}) => (await api.get('/testimonials?limit=100&sort_order=asc')).body.data;
