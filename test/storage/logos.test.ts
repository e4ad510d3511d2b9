import { createTenant } from '../helpers/accounts';
import { withOwnDatabase } from '../helpers/own-database';
import { drain, exists, queuedUrls, temporaryFiles, upload } from './files';

withOwnDatabase();
const folder = temporaryFiles();

/** An account with a space whose logo is uploaded. */
async function tenantWithLogo() {
  const tenant = await createTenant();
  const logo = await upload(folder, tenant.accountId, 'logo');
  const { id: spaceId } = await tenant.space({ logo_url: logo.url });
  return { ...tenant, spaceId, logo };
}

test('a logo is removed with its space', async () => {
  const { accountId, api, spaceId, logo } = await tenantWithLogo();
  expect((await api.delete(`/spaces/${spaceId}`)).status).toBe(204);
  expect(await queuedUrls(accountId)).toEqual([logo.url]);
  await drain();
  expect(await exists(logo.path)).toBe(false);
});

test('a logo is removed when another takes its place, which stays', async () => {
  const { accountId, api, spaceId, logo } = await tenantWithLogo();
  const next = await upload(folder, accountId, 'logo');
  expect((await api.patch(`/spaces/${spaceId}`, { logo_url: next.url })).status).toBe(200);
  expect(await queuedUrls(accountId)).toEqual([logo.url]);
  await drain();
  expect([await exists(logo.path), await exists(next.path)]).toEqual([false, true]);
});

test.each<[string, (url: string) => object]>([
  ['another field changes', () => ({ name: 'Renamed' })],
  ['it is sent again', (url) => ({ logo_url: url })],
])('a logo stays where %s', async (_, fields) => {
  const { accountId, api, spaceId, logo } = await tenantWithLogo();
  expect((await api.patch(`/spaces/${spaceId}`, fields(logo.url))).status).toBe(200);
  expect(await queuedUrls(accountId)).toEqual([]);
});

test('a logo stays while another space or a testimonial has it', async () => {
  const { api, space, testimonial, spaceId, logo } = await tenantWithLogo();
  const other = await space({ logo_url: logo.url });
  const { id } = await testimonial(other.id, { submitter_avatar_url: logo.url });
  await api.patch(`/spaces/${spaceId}`, { logo_url: 'https://example.com/logo.png' });
  await drain();
  await api.patch(`/spaces/${other.id}`, { logo_url: 'https://example.com/logo.png' });
  await drain();
  expect(await exists(logo.path)).toBe(true);
  await api.delete(`/testimonials/${id}`);
  await drain();
  expect(await exists(logo.path)).toBe(false);
});

test('the logo of another account stays, whoever names it, and many changes at once remove their own once', async () => {
  const victim = await tenantWithLogo();
  const { accountId, api, spaceId, logo } = await tenantWithLogo();
  const changes = Array.from({ length: 6 }, (_, number) =>
    api.patch(`/spaces/${spaceId}`, {
      logo_url: number % 2 ? victim.logo.url : `https://example.com/${number}.png`,
    }),
  );
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(changes.map(() => 200));
  expect((await api.delete(`/spaces/${spaceId}`)).status).toBe(204);
  expect(await queuedUrls(accountId)).toEqual([logo.url]);
  expect(await queuedUrls(victim.accountId)).toEqual([]);
  await drain();
  expect([await exists(logo.path), await exists(victim.logo.path)]).toEqual([false, true]);
});
