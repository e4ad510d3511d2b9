import { database } from '@/src/database/client';
import { directWriter } from '@/src/database/writer';
import { env, provideEnv } from '@/src/env';
import { countTestData, emptyTestData } from '@/src/test-mode/emptying';
import { samples as content } from '@/src/test-mode/sample-content';
import { addSamples } from '@/src/test-mode/samples';
import { testimonial } from '@/src/testimonials/schema';
import { follow, latestCursor, page } from '../events/following';
import { whenWaiting } from '../events/waiting';
import { createAccount, createKey } from '../helpers/accounts';
import { client } from '../helpers/client';
import { digestOfAccount } from '../helpers/digest';
import { expectError } from '../helpers/expectations';
import { onServer, untilSomebodyWaits, withHolder } from '../helpers/locks';
import { withOwnDatabase } from '../helpers/own-database';
import { callTrpc } from '../helpers/session';
import { signUpInTestMode } from '../helpers/test-mode';
import { insertRows } from '../requests/log';
import { drain as drainFiles, temporaryFiles } from '../storage/files';

withOwnDatabase();
temporaryFiles();

const nothing = { spaces: 0, testimonials: 0, files: 0, events: 0, deliveries: 0, requests: 0 };

async function filled() {
  const { person, test } = await signUpInTestMode();
  const endpoint = {
    url: 'https://receiver.example/',
    event_types: ['testimonial.created', 'space.created'],
  };
  await callTrpc('mutation', 'webhooks.endpoints.create', endpoint, test.headers);
  const added = await callTrpc('mutation', 'testMode.addSamples', undefined, test.headers);
  const api = client(await createKey(test.accountId));
  return { person, test, added, api };
}

const countOf = async (headers: Record<string, string>) =>
  (await callTrpc('query', 'testMode.count', undefined, headers)).data;

/** Calls until nothing is left, as the page does. Returns how many rows that were. */
async function emptyAll(headers: Record<string, string>): Promise<number> {
  let removed = 0;
  for (let call = 0; call < 50; call += 1) {
    const { data } = await callTrpc('mutation', 'testMode.empty', undefined, headers);
    removed += data.removed;
    if (data.is_done) return removed;
  }
  throw new Error('There is no end to it');
}

describe('samples', () => {
  test('are a space with a dozen, of every kind, made as the API makes them', async () => {
    const { test, added, api } = await filled();
    expect(added.data).toEqual({ space_id: expect.any(String), testimonials: 12 });
    const { data } = (await api.get('/testimonials')).body;
    const rows = testimonial.array().parse(data);
    expect(rows).toHaveLength(12);
    // Else nobody could have it for a space of theirs.
    const { slug } = (await api.get(`/spaces/${added.data.space_id}`)).body.data;
    expect(slug).not.toBe('sample-space');
    expect(new Set(rows.map(({ space_id }) => space_id))).toEqual(new Set([added.data.space_id]));
    expect(new Set(rows.map(({ status }) => status)).size).toBe(3);
    expect(new Set(rows.map(({ rating }) => rating))).toEqual(new Set([1, 2, 3, 4, 5, null]));
    expect(rows.some(({ submitter_avatar_url: url }) => url === null)).toBe(true);
    expect(rows.filter(({ submitter_avatar_url: url }) => url !== null)).toHaveLength(5);
    expect(Math.max(...rows.map(({ text_content: text }) => text?.length ?? 0))).toBeGreaterThan(
      1000,
    );
    const [video] = rows.filter(({ type }) => type === 'video');
    expect(video).toMatchObject({ video_url: expect.stringMatching(/\.mp4$/) });
    expect(video?.video_thumbnail_url).toMatch(/\.png$/);
    expect(await countOf(test.headers)).toEqual({
      ...nothing,
      ...{ spaces: 1, testimonials: 12, files: 8, events: 13, deliveries: 13 },
    });
  });

  test('come once more with another click', async () => {
    const { test } = await filled();
    await callTrpc('mutation', 'testMode.addSamples', undefined, test.headers);
    expect(await countOf(test.headers)).toMatchObject({ spaces: 2, testimonials: 24 });
  });

  test('are refused where there is no room', async () => {
    const { test } = await signUpInTestMode();
    const storedBytes = 1n << 50n;
    await database().user.update({ where: { id: test.accountId }, data: { storedBytes } });
    const { error } = await callTrpc('mutation', 'testMode.addSamples', undefined, test.headers);
    expect(error?.data.code).toBe('QUOTA_EXCEEDED');
  });

  test('are refused, and none made, where their files have no room', async () => {
    const { test } = await signUpInTestMode();
    provideEnv({ ACCOUNT_QUOTA_BYTES: '40000' });
    await database().user.update({ where: { id: test.accountId }, data: { storedBytes: 9000n } });
    const { error } = await callTrpc('mutation', 'testMode.addSamples', undefined, test.headers);
    provideEnv({ ACCOUNT_QUOTA_BYTES: '' });
    expect(error?.data.code).toBe('QUOTA_EXCEEDED');
    expect(await countOf(test.headers)).toEqual(nothing);
  });

  test('have no pictures where no file can be stored', async () => {
    const { DATA_FOLDER } = env();
    provideEnv({ DATA_FOLDER: '/dev/null' });
    const { test, api } = await filled();
    provideEnv({ DATA_FOLDER });
    const rows = testimonial.array().parse((await api.get('/testimonials')).body.data);
    expect(rows).toHaveLength(12);
    expect(new Set(rows.map(({ submitter_avatar_url: url }) => url))).toEqual(new Set([null]));
    expect(await countOf(test.headers)).toMatchObject({ spaces: 1, testimonials: 12, files: 0 });
  });

  test('are a dozen, each with its own person', () => {
    expect(new Set(content.map(({ submitter_email }) => submitter_email)).size).toBe(12);
  });
});

describe('emptying', () => {
  test('counts each kind before it, up to a bound', async () => {
    const { test } = await signUpInTestMode();
    const now = new Date();
    await insertRows(
      test.accountId,
      [now, now, now].map((receivedAt) => ({ receivedAt })),
    );
    expect(await countTestData(test.accountId)).toEqual({ ...nothing, requests: 3 });
    expect(await countTestData(test.accountId, 2)).toEqual({ ...nothing, requests: 2 });
  });

  test('removes all that has gathered, and leaves keys, endpoints and what is live', async () => {
    const { person, test, api } = await filled();
    await insertRows(test.accountId, [{ receivedAt: new Date() }]);
    await addSamples(person.accountId, directWriter);
    const before = await digestOfAccount(person.accountId);
    // 1 space with its logo, 12 testimonials, whose files go with them, 13 events with as many
    // deliveries, and the logged request.
    expect(await emptyAll(test.headers)).toBe(41);
    expect(await countOf(test.headers)).toEqual(nothing);
    expect((await api.get('/spaces')).body.data).toEqual([]);
    const endpoints = await callTrpc('query', 'webhooks.endpoints.list', undefined, test.headers);
    expect(endpoints.data).toHaveLength(1);
    expect(await digestOfAccount(person.accountId)).toBe(before);
    await drainFiles(new Date(Date.now() + 61_000));
    const { storedBytes } = await database().user.findUniqueOrThrow({
      where: { id: test.accountId },
    });
    expect(Number(storedBytes)).toBe(0);
    expect(await digestOfAccount(person.accountId)).toBe(before);
  });

  test('tells every follower of the feed to start over, also one that had read all of it', async () => {
    const { test, api } = await filled();
    const { cursor } = await follow(api.get);
    const early = (await page(api.get, { limit: 1 })).body.pagination.next_cursor;
    await emptyAll(test.headers);
    for (const after of [early, cursor]) {
      expectError(await page(api.get, { after }), 410, 'CURSOR_EXPIRED');
    }
    const latest = await latestCursor(api.get);
    const { events, cursor: next } = await follow(api.get);
    expect(events).toEqual([]);
    const { id } = (await api.post('/spaces', { name: 'A space' })).body.data;
    for (const after of [latest, next]) {
      expect((await follow(api.get, after)).events).toMatchObject([{ data: { id } }]);
    }
  });

  test('tells no follower to start over where there was nothing to remove', async () => {
    const { test, api } = await filled();
    await emptyAll(test.headers);
    const after = await latestCursor(api.get);
    expect(await emptyAll(test.headers)).toBe(0);
    expect((await page(api.get, { after })).status).toBe(200);
  });

  test('tells a follower to start over that waits for events', async () => {
    const { test, api } = await filled();
    const after = await latestCursor(api.get);
    const asking = page(api.get, { after, wait: 20 });
    await whenWaiting(asking);
    await emptyAll(test.headers);
    expectError(await asking, 410, 'CURSOR_EXPIRED');
  });

  test('tells a follower to start over whose cursor was given while it went on', async () => {
    const { test, api } = await filled();
    const cursors: string[] = [];
    let spaces = 1;
    for (let statements = 1; spaces > 0; statements += 1) {
      cursors.push(await latestCursor(api.get));
      // Ends after so many statements.
      let looks = 0;
      await emptyTestData(test.accountId, () => (looks++ <= statements ? 0 : 2000));
      spaces = (await api.get('/spaces')).body.pagination.total;
    }
    expect(cursors.length).toBeGreaterThan(2);
    for (const after of cursors) {
      expectError(await page(api.get, { after }), 410, 'CURSOR_EXPIRED');
    }
  });

  onServer('locks the account after the files that go, as every write does', async () => {
    const { test } = await filled();
    await withHolder(async (other) => {
      // As where another testimonial that names one of them is being deleted.
      await other.query(
        `INSERT INTO file_removals (key, url, user_id)
         SELECT key, url, user_id FROM stored_files file WHERE user_id = $1 AND EXISTS (
           SELECT FROM testimonials t WHERE t.user_id = $1 AND t.submitter_avatar_url = file.url
         ) LIMIT 1`,
        [test.accountId],
      );
      const emptying = emptyTestData(test.accountId);
      await untilSomebodyWaits(other);
      const account = 'SELECT FROM users WHERE id = $1 FOR UPDATE NOWAIT';
      expect((await other.query(account, [test.accountId])).rowCount).toBe(1);
      await other.query('COMMIT');
      await emptying;
    });
  });

  test('ends a call after its time, and the next goes on', async () => {
    const { test } = await filled();
    let now = 0;
    const first = await emptyTestData(test.accountId, () => (now += 700));
    expect(first.is_done).toBe(false);
    expect(first.removed).toBeGreaterThan(0);
    await emptyAll(test.headers);
    expect(await countOf(test.headers)).toEqual(nothing);
  });

  test('is for test accounts alone, whoever asks', async () => {
    const accountId = await createAccount();
    await addSamples(accountId, directWriter);
    const before = await digestOfAccount(accountId);
    await expect(emptyTestData(accountId)).rejects.toThrow('Only test data can be emptied');
    expect(await digestOfAccount(accountId)).toBe(before);
  });

  test.each(['addSamples', 'empty', 'count'])('%s does nothing in a live session', async (name) => {
    const { person } = await signUpInTestMode();
    const { cookie, accountId } = person;
    await callTrpc('mutation', 'testMode.set', { mode: 'live' }, { cookie });
    const before = await digestOfAccount(accountId, ['sessions']);
    const kind = name === 'count' ? 'query' : 'mutation';
    const { error } = await callTrpc(kind, `testMode.${name}`, undefined, { cookie });
    expect(error?.data.code).toBe('MODE_CHANGED');
    expect(await digestOfAccount(accountId, ['sessions'])).toBe(before);
  });
});
