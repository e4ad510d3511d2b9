import { randomUUID } from 'node:crypto';
import { database } from '@/src/database/client';
import { createTenant, type Tenant } from '../helpers/accounts';
import { createEndpoint } from '../helpers/endpoints';
import { insertTestimonials } from '../helpers/rows';

// What holds whoever writes: another program, a later version, a person with psql.

let tenant: Tenant;
let space: { id: string; user_id: string };

beforeAll(async () => {
  tenant = await createTenant();
  space = await tenant.space();
});

describe('a testimonial is refused', () => {
  test.each<[string, Record<string, string | number | null>, RegExp]>([
    ['of an unknown type', { type: 'audio' }, /testimonial_type/],
    ['without a type', { type: null }, /"type"/],
    ['of an unknown status', { status: 'spam' }, /testimonial_status/],
    ['without a status', { status: null }, /"status"/],
    ['with a rating of 0', { rating: 0 }, /testimonials_rating_check/],
    ['with a rating of 6', { rating: 6 }, /testimonials_rating_check/],
    ['in no space', { space_id: randomUUID() }, /testimonials_space_id_user_id_fkey/],
    ['without a name', { submitter_name: null }, /"submitter_name"/],
  ])('%s', async (_name, row, reason) => {
    await expect(insertTestimonials(space, [row])).rejects.toThrow(reason);
  });

  test('in a space of another account', async () => {
    const { accountId } = await createTenant();
    await expect(insertTestimonials({ id: space.id, user_id: accountId }, [{}])).rejects.toThrow(
      /testimonials_space_id_user_id_fkey/,
    );
  });

  test('moved to a space of another account', async () => {
    const other = await createTenant();
    const { id } = await tenant.testimonial(space.id);
    const { id: space_id } = await other.space();
    await expect(
      database().testimonial.update({ where: { id }, data: { space_id } }),
    ).rejects.toThrow(/testimonials_space_id_user_id_fkey/);
  });
});

describe('a space is refused', () => {
  const data = () => ({ user_id: tenant.accountId, name: 'A space', slug: randomUUID() });

  test('of no account', async () => {
    await expect(
      database().space.create({ data: { ...data(), user_id: randomUUID() } }),
    ).rejects.toThrow(/spaces_user_id_fkey/);
  });

  test('with the slug of another', async () => {
    const first = data();
    await database().space.create({ data: first });
    await expect(
      database().space.create({ data: { ...data(), slug: first.slug } }),
    ).rejects.toThrow(/slug/);
  });
});

test.each([[['admin']], [['read', 'admin']], [[]]])(
  'an API key with the scopes %j is refused',
  async (scopes) => {
    const key = { userId: tenant.accountId, name: 'Key', digest: randomUUID(), hint: '', scopes };
    await expect(database().apiKey.create({ data: key })).rejects.toThrow(/api_keys_scopes_check/);
  },
);

test('an event goes to an endpoint once', async () => {
  const endpointId = await createEndpoint(tenant.accountId, ['testimonial.created']);
  await tenant.testimonial(space.id);
  const { eventId } = await database().webhookDelivery.findFirstOrThrow({ where: { endpointId } });
  await expect(
    database().webhookDelivery.create({ data: { eventId, endpointId } }),
  ).rejects.toThrow(/endpoint/);
});

test('a deleted account takes everything of it along', async () => {
  const { accountId, ...gone } = await createTenant();
  const endpointId = await createEndpoint(accountId, ['testimonial.created']);
  const { id } = await gone.space();
  await gone.testimonial(id);
  await database().user.delete({ where: { id: accountId } });
  const where = { user_id: accountId };
  expect([
    await database().space.count({ where }),
    await database().testimonial.count({ where }),
    await database().apiKey.count({ where: { userId: accountId } }),
    await database().webhookEvent.count({ where: { userId: accountId } }),
    await database().webhookDelivery.count({ where: { endpointId } }),
  ]).toEqual([0, 0, 0, 0, 0]);
});
