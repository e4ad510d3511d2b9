import type { Client } from 'pg';
import { createTenant } from '../helpers/accounts';
import { onServer, untilSomebodyWaits, withHolder } from '../helpers/locks';
import { withOwnDatabase } from '../helpers/own-database';
import { importInto, item } from '../imports/items';
import { temporaryFiles, upload } from './files';

withOwnDatabase();
const folder = temporaryFiles();

const elsewhere = 'https://example.com/file.png';

/** An account with an uploaded file: the logo of a space, and the avatar of a testimonial elsewhere. */
async function tenantWithFile() {
  const tenant = await createTenant();
  const { url } = await upload(folder, tenant.accountId, 'logo');
  const shown = await tenant.space({ logo_url: url });
  const spaceId = (await tenant.space()).id;
  const { data } = await importInto(tenant, [item(spaceId, 'a', { submitter_avatar_url: url })]);
  return { ...tenant, url, shownId: shown.id, spaceId, id: data[0].id };
}

type Owner = Awaited<ReturnType<typeof tenantWithFile>>;

/** Has another process remove the file, in the middle of its transaction. */
async function remove(holder: Client, { accountId, url }: Owner): Promise<void> {
  await holder.query('INSERT INTO file_removals (key, url, user_id) VALUES ($1, $2, $3)', [
    new URL(url).pathname.replace('/files/', ''),
    url,
    accountId,
  ]);
}

// Every write locks the account's row last: whoever had it, and waited for a file, would wait in a
// circle with one that has the file.
describe('the account is locked after the file that is to be removed where', () => {
  const changes: [string, (of: Owner) => Promise<unknown>][] = [
    [
      'a space gets another logo',
      ({ api, shownId }) => api.patch(`/spaces/${shownId}`, { logo_url: elsewhere }),
    ],
    ['a space is deleted', ({ api, shownId }) => api.delete(`/spaces/${shownId}`)],
    ['a testimonial is deleted', ({ api, id }) => api.delete(`/testimonials/${id}`)],
    [
      'an import brings another file',
      (of) =>
        importInto(of, [item(of.spaceId, 'a', { submitter_avatar_url: elsewhere })], {
          on_duplicate: 'update',
        }),
    ],
  ];

  for (const [name, change] of changes) {
    onServer(name, async () => {
      const owner = await tenantWithFile();
      await withHolder(async (holder) => {
        await remove(holder, owner);
        const changed = change(owner);
        await untilSomebodyWaits(holder);
        const account = 'SELECT FROM users WHERE id = $1 FOR UPDATE NOWAIT';
        expect((await holder.query(account, [owner.accountId])).rowCount).toBe(1);
        await holder.query('COMMIT');
        await changed;
      });
    });
  }
});
