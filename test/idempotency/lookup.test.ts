import { randomUUID } from 'node:crypto';
import { createTenant, minimalTestimonial, type Tenant } from '../helpers/accounts';
import type { SendOptions } from '../helpers/client';
import { sendDescribed } from '../rest/conformance';
import { withKey } from './keyed';

describe('an import that writes nothing', () => {
  const nothing = { testimonials: [{}, 5] };
  const attempt = async (tenant: Tenant, key: string, json: unknown) => {
    const { status, text, headers } = await sendDescribed(
      'POST',
      '/imports',
      withKey(tenant, key, { json }),
    );
    return { status, text, replayed: headers.get('idempotency-replayed') };
  };

  test('is kept and answered again, as any other', async () => {
    const tenant = await createTenant();
    const key = randomUUID();
    const first = await attempt(tenant, key, nothing);
    expect(first).toMatchObject({ status: 200, replayed: null });
    expect(await attempt(tenant, key, nothing)).toEqual({ ...first, replayed: 'true' });
    const { id } = await tenant.space();
    const other = await attempt(tenant, key, { testimonials: [minimalTestimonial(id)] });
    expect(other.status).toBe(422);
  });

  test('is refused with the key of another request', async () => {
    const tenant = await createTenant();
    const key = randomUUID();
    const { id } = await tenant.space();
    await attempt(tenant, key, { testimonials: [minimalTestimonial(id)] });
    expect((await attempt(tenant, key, nothing)).status).toBe(422);
  });
});

describe('what is refused before any procedure runs has its key looked up first', () => {
  const strict = { prefer: 'handling=strict' };
  const refused: [string, string, SendOptions][] = [
    ['an unknown field, strict', '/spaces', { json: { name: 'A', x: 1 }, headers: strict }],
    ['an unknown parameter, strict', '/spaces?x=1', { json: { name: 'A' }, headers: strict }],
  ];

  test.each(refused)('%s', async (_, path, options) => {
    const tenant = await createTenant();
    const [key, other] = [randomUUID(), randomUUID()];
    expect((await sendDescribed('POST', path, withKey(tenant, key, options))).status).toBe(400);
    const valid = { json: { name: 'A' } };
    const first = await sendDescribed('POST', '/spaces', withKey(tenant, key, valid));
    const again = await sendDescribed('POST', path, withKey(tenant, key, options));
    expect([first.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('preference-applied')).toBe('handling=strict');
    await sendDescribed('POST', '/spaces', withKey(tenant, other, { json: { name: 'B' } }));
    const reused = await sendDescribed('POST', path, withKey(tenant, other, options));
    expect(reused.status).toBe(422);
  });

  test('a body that is no object', async () => {
    const tenant = await createTenant();
    const key = randomUUID();
    const attempt = async (raw: string) =>
      (await sendDescribed('POST', '/spaces', withKey(tenant, key, { raw }))).status;
    expect([await attempt('[1]'), await attempt('{"name":"A"}'), await attempt('[1]')]).toEqual([
      400, 201, 422,
    ]);
  });
});
