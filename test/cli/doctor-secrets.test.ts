import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDoctor } from '@/src/cli/doctor';
import { database } from '@/src/database/client';
import { env, provideEnv } from '@/src/env';
import { seal } from '@/src/secrets/seal';
import { sealOf } from '@/src/webhooks/secret';
import { createAccount } from '../helpers/accounts';
import { withOwnDatabase } from '../helpers/own-database';

withOwnDatabase();

const folder = mkdtempSync(join(tmpdir(), 'doctor-secrets-'));
const key = 'the key that the service has had from its first day';

beforeEach(() => provideEnv({ SECRET_KEY: key, DATA_FOLDER: folder }));
afterAll(() => rmSync(folder, { recursive: true }));

/** Stores an endpoint whose secret is sealed with the SECRET_KEY of now. */
async function storeEndpoint(previousEncryptedSecret?: Uint8Array<ArrayBuffer>): Promise<void> {
  const id = randomUUID();
  await database().webhookEndpoint.create({
    data: {
      id,
      userId: await createAccount(),
      url: 'https://example.com/',
      eventTypes: [],
      encryptedSecret: seal(Buffer.from('secret'), sealOf(id)),
      ...(previousEncryptedSecret && {
        previousEncryptedSecret,
        previousSecretExpiresAt: new Date(Date.now() + 3_600_000),
      }),
    },
  });
}

/** What the doctor says, once another process would have started with `settings`. */
async function allOf(settings: { SECRET_KEY: string }): Promise<string[]> {
  provideEnv(settings);
  const lines: string[] = [];
  await runDoctor([], { print: (line) => lines.push(line), say: () => {} });
  return lines;
}

/** The same, of signing secrets. */
async function look(settings: { SECRET_KEY: string }): Promise<string[]> {
  return (await allOf(settings)).filter((line) => line.includes(' signing secrets: '));
}

test('where no secret is stored nothing is said', async () => {
  expect(await look({ SECRET_KEY: key })).toEqual([]);
});

test('the key they were stored with opens them', async () => {
  await storeEndpoint();
  expect(await look({ SECRET_KEY: key })).toEqual(['ok    signing secrets: can be read']);
});

test.each([
  ['before', [key, 'x'.repeat(40)]],
  ['after', ['x'.repeat(40), key]],
])('another key must be mended, also where one stored %s it opens', async (_, keys) => {
  for (const SECRET_KEY of keys) {
    provideEnv({ SECRET_KEY });
    await storeEndpoint();
  }
  expect(await look({ SECRET_KEY: key })).toEqual([
    expect.stringMatching(/^MEND {2}signing secrets: stored with another SECRET_KEY/),
  ]);
});

test('one among many that another key has stored must be mended', async () => {
  await storeEndpoint();
  provideEnv({ SECRET_KEY: 'x'.repeat(40) });
  await storeEndpoint();
  provideEnv({ SECRET_KEY: key });
  await storeEndpoint();
  expect(await look({ SECRET_KEY: key })).toEqual([
    expect.stringMatching(/^MEND .*: those of 1 of 3 endpoints sign nothing$/),
  ]);
});

test('an old secret that does not open is told, as long as it would sign', async () => {
  await storeEndpoint(new Uint8Array(60));
  expect(await look({ SECRET_KEY: key })).toEqual([
    expect.stringMatching(/^look {2}signing secrets: 1 that were rotated away/),
  ]);
});

test('a key of the data folder is the one where none is set, and none at all must be mended', async () => {
  await storeEndpoint();
  expect(await look({ SECRET_KEY: '' })).toEqual([
    expect.stringMatching(/^MEND .* there is neither SECRET_KEY nor a key in /),
  ]);
  writeFileSync(join(folder, 'secret-key'), key);
  expect(await look({ SECRET_KEY: '' })).toEqual(['ok    signing secrets: can be read']);
  expect(env().SECRET_KEY).toBe(key);
});

test('a kept key that is not whole must be mended, and hides nothing of the database', async () => {
  await storeEndpoint();
  writeFileSync(join(folder, 'secret-key'), '');
  const lines = await allOf({ SECRET_KEY: '' });
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^MEND {2}SECRET_KEY: The secret key in .* is empty/),
      expect.stringMatching(/^ok {4}database: .*Postgres .* answers$/),
      'ok    migrations: all are applied',
    ]),
  );
});

test('an old secret that does not open, and whose time is over, is not told', async () => {
  await storeEndpoint(new Uint8Array(60));
  await database().webhookEndpoint.updateMany({
    data: { previousSecretExpiresAt: new Date(Date.now() - 1000) },
  });
  expect(await look({ SECRET_KEY: key })).toEqual(['ok    signing secrets: can be read']);
});

test.each([
  ['changed first', 0],
  ['changed last', 5000],
])('of thousands the one %s is looked at', async (_, lost) => {
  const userId = await createAccount();
  const data = Array.from({ length: 5001 }, (_, place) => {
    const id = randomUUID();
    const encryptedSecret =
      place === lost ? new Uint8Array(60) : seal(Buffer.from('secret'), sealOf(id));
    const updatedAt = new Date(Date.now() - 3_600_000 + place);
    return { id, userId, url: 'https://example.com/', eventTypes: [], encryptedSecret, updatedAt };
  });
  // In pieces: on a crowded machine the embedded database is silent for too long over all of them.
  for (let at = 0; at < data.length; at += 500) {
    await database().webhookEndpoint.createMany({ data: data.slice(at, at + 500) });
  }
  expect(await look({ SECRET_KEY: key })).toEqual([
    expect.stringMatching(/^MEND .*: those of 1 of 5001 endpoints sign nothing$/),
  ]);
});
