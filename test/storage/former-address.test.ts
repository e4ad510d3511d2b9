import { join } from 'node:path';
import { provideEnv } from '@/src/env';
import { queueUnnamed } from '@/src/storage/stored-files';
import { storeUpload } from '@/src/storage/upload';
import { createTenant } from '../helpers/accounts';
import { withOwnDatabase } from '../helpers/own-database';
import { drain, exists, publicUrl, queuedUrls, samples, temporaryFiles } from './files';

withOwnDatabase();
const folder = temporaryFiles();

describe('what was uploaded while the service had another address', () => {
  const elsewhere = ['https://former.example', 'http://localhost:3001'];
  afterEach(() => provideEnv({ PUBLIC_URL: publicUrl }));

  /** An account whose files have an address that is no longer the service's. */
  async function tenantFrom(origin: string) {
    provideEnv({ PUBLIC_URL: origin });
    const tenant = await createTenant();
    const { id: spaceId } = await tenant.space();
    const { url } = await storeUpload(tenant.accountId, 'avatar', new Blob([samples.png]).stream());
    const key = url.slice(`${origin}/files/`.length);
    provideEnv({ PUBLIC_URL: publicUrl });
    return { ...tenant, spaceId, url, key, path: join(folder, 'files', key) };
  }

  test.each(elsewhere)('%s: it goes with the testimonial that names it', async (origin) => {
    const { accountId, api, spaceId, testimonial, url, path } = await tenantFrom(origin);
    const { id } = await testimonial(spaceId, { submitter_avatar_url: url });
    expect((await api.delete(`/testimonials/${id}`)).status).toBe(204);
    await drain();
    expect(await exists(path)).toBe(false);
    expect(await queuedUrls(accountId)).toEqual([]);
  });

  test('it goes a day later where nothing names it', async () => {
    const [origin = ''] = elsewhere;
    const [unnamed, named] = [await tenantFrom(origin), await tenantFrom(origin)];
    await named.testimonial(named.spaceId, {
      submitter_avatar_url: `${publicUrl}/files/${named.key}`,
    });
    const tomorrow = new Date(Date.now() + 25 * 3_600_000);
    while ((await queueUnnamed(tomorrow)).isFull);
    await drain();
    expect([await exists(unnamed.path), await exists(named.path)]).toEqual([false, true]);
  });

  test('it stays while a row names it, by its former or its present address, and goes with the last', async () => {
    const { api, spaceId, testimonial, url, key, path } = await tenantFrom(elsewhere[0] ?? '');
    const present = `${publicUrl}/files/${key}`;
    const ids = [];
    for (const fields of [
      { submitter_avatar_url: url },
      { submitter_avatar_url: present },
      { submitter_avatar_url: url, video_thumbnail_url: present },
    ]) {
      ids.push((await testimonial(spaceId, fields)).id);
    }
    for (const id of ids) {
      await drain();
      expect(await exists(path)).toBe(true);
      expect((await api.delete(`/testimonials/${id}`)).status).toBe(204);
    }
    await drain();
    expect(await exists(path)).toBe(false);
  });

  test('of another account it stays, whoever names it', async () => {
    const victim = await tenantFrom(elsewhere[0] ?? '');
    const { api, space, testimonial, accountId } = await createTenant();
    const own = victim.url.replace(victim.accountId, accountId);
    const { id: spaceId } = await space();
    for (const url of [victim.url, `https://third.example/files/${victim.key}`, own]) {
      const { id } = await testimonial(spaceId, { submitter_avatar_url: url });
      expect((await api.delete(`/testimonials/${id}`)).status).toBe(204);
    }
    expect(await queuedUrls(accountId)).toEqual([]);
    expect(await queuedUrls(victim.accountId)).toEqual([]);
    await drain();
    expect(await exists(victim.path)).toBe(true);
  });

  test('an address that it never had removes nothing', async () => {
    const { accountId, api, spaceId, testimonial, key, path } = await tenantFrom(
      elsewhere[0] ?? '',
    );
    const { id } = await testimonial(spaceId, {
      submitter_avatar_url: `https://third.example/files/${key}`,
    });
    expect((await api.delete(`/testimonials/${id}`)).status).toBe(204);
    expect(await queuedUrls(accountId)).toEqual([]);
    await drain();
    expect(await exists(path)).toBe(true);
  });
});
