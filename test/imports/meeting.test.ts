import { createTenant, type Tenant } from '../helpers/accounts';
import { during, onServer } from '../helpers/locks';
import { importInto, item, storedOf } from './items';

let tenant: Tenant;
let space: string;

beforeEach(async () => {
  tenant = await createTenant();
  space = (await tenant.space()).id;
});

const stored = () => storedOf(tenant);

/** An import that meets what another process has just written, and goes on once that is committed. */
function importDuring(
  statement: Parameters<typeof during>[0],
  items: unknown[],
  options?: Record<string, unknown>,
) {
  return during(statement, () => importInto(tenant, items, options));
}

onServer('an update tells of the status that it has met, and not of one before', async () => {
  const [{ id }] = (await importInto(tenant, [item(space, 'a')])).data;
  const before = (await tenant.events()).length;
  const body = await importDuring(
    [`UPDATE testimonials SET status = 'approved' WHERE id = $1`, id],
    [item(space, 'a', { status: 'approved', rating: 4 })],
    { on_duplicate: 'update' },
  );
  expect(body.data).toEqual([{ result: 'updated', id, external_id: 'a' }]);
  expect(await stored()).toMatchObject([{ id, status: 'approved', rating: 4 }]);
  const told = (await tenant.events()).slice(before);
  expect(told).toMatchObject([
    {
      type: 'testimonial.updated',
      data: { status: 'approved', rating: 4, previous_status: 'approved' },
    },
  ]);
});

onServer('of a space that is being deleted the items are invalid, and no others', async () => {
  const { id: gone } = await tenant.space();
  const body = await importDuring(
    ['DELETE FROM spaces WHERE id = $1', gone],
    [item(gone, 'a'), item(space, 'b')],
  );
  expect(body.data).toMatchObject([
    { result: 'invalid', errors: [{ field: 'space_id' }] },
    { result: 'created' },
  ]);
  expect(await stored()).toMatchObject([{ space_id: space, external_id: 'b' }]);
  expect(await tenant.events()).toHaveLength(1);
});

onServer('what another import brings at that moment is skipped, and named', async () => {
  const spaces = [space];
  // Theirs is none of ours, whichever is read last.
  for (let others = 0; others < 5; others += 1) {
    spaces.push((await (await createTenant()).space()).id);
  }
  const body = await importDuring(
    [
      `INSERT INTO testimonials (user_id, space_id, type, submitter_name, external_id)
       SELECT user_id, id, 'text', 'Ada Park', 'a' FROM spaces WHERE id = ANY ($1::uuid[])
       ORDER BY array_position($1::uuid[], id)`,
      spaces,
    ],
    [item(space, 'a'), item(space, 'b')],
  );
  const rows: { id: string; external_id: string }[] = await stored();
  expect(rows.map(({ external_id }) => external_id).sort()).toEqual(['a', 'b']);
  const idOf = (name: string) => rows.find(({ external_id }) => external_id === name)?.id;
  expect(body.data).toEqual([
    { result: 'skipped', id: idOf('a'), external_id: 'a' },
    { result: 'created', id: idOf('b'), external_id: 'b' },
  ]);
  expect(await tenant.events()).toMatchObject([{ resourceId: idOf('b') }]);
});
