import { createTenant, type Tenant } from './accounts';
import { insertAlike } from './rows';

/** As much as a row may hold of the characters that take most in JSON: six bytes each, twice. */
const worstText = '\u0001'.repeat(50_000);
export const worstRowCharacters = 2 * 6 * worstText.length;

/** Inserts so many of these rows. Returns their ids. */
export function insertLargeRows(
  space: { id: string; user_id: string },
  count: number,
): Promise<string[]> {
  return insertAlike(space, count, { text_content: worstText, ai_transcript: worstText });
}

/** An account with so many of them. */
export async function tenantWithLargeRows(count = 12): Promise<{ tenant: Tenant; ids: string[] }> {
  const tenant = await createTenant();
  return { tenant, ids: await insertLargeRows(await tenant.space(), count) };
}
