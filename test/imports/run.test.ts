import { Socket } from 'node:net';
import { closeAccount } from '@/src/accounts/closing';
import { database } from '@/src/database/client';
import { directWriter } from '@/src/database/writer';
import { provideEnv } from '@/src/env';
import { fileFields } from '@/src/imports/file-item';
import { type FileLine, readJsonLines } from '@/src/imports/lines';
import { importFile } from '@/src/imports/run';
import { createTenant, type Tenant } from '../helpers/accounts';

afterEach(() => {
  jest.restoreAllMocks();
  provideEnv({ ACCOUNT_QUOTA_BYTES: '' });
});

const plain = {
  mapping: new Map<string, string>(),
  on_duplicate: 'skip',
  events: true,
  isDryRun: false,
} as const;
const silent = { progress: () => {}, failure: () => {} };

/** Imports lines with these texts. Returns the lines that were done after each batch, and the totals. */
async function importTexts(
  texts: string[],
  {
    isDryRun,
    ids = [],
    tenant,
    done = [],
  }: { isDryRun: boolean; ids?: string[]; tenant?: Tenant; done?: number[] },
) {
  const { accountId, space } = tenant ?? (await createTenant());
  const { id: spaceId } = await space();
  async function* lines(): AsyncGenerator<FileLine> {
    for (const [index, text_content] of texts.entries()) {
      const submitter_email = `ada${index}@example.com`;
      const record = {
        submitter_name: 'Ada',
        submitter_email,
        rating: 5,
        text_content,
        external_id: ids[index],
      };
      yield { line: index + 1, record };
    }
  }
  const totals = await importFile(
    lines(),
    { ...plain, accountId, spaceId, isDryRun },
    { ...silent, progress: ({ created, failed }) => done.push(created + failed) },
  );
  return { accountId, done, totals };
}

test('a batch is full with a thousand lines', async () => {
  const { done } = await importTexts(Array(1001).fill('Good'), { isDryRun: true });
  expect(done).toEqual([1000, 1001]);
});

test('a batch is full with a quarter of a million characters', async () => {
  const { done } = await importTexts(Array(5).fill('x'.repeat(120_000)), { isDryRun: true });
  expect(done).toEqual([2, 4, 5]);
});

test('what was told before an import fails is all that it has stored', async () => {
  const { write } = directWriter;
  let imports = 0;
  jest.spyOn(directWriter, 'write').mockImplementation((statement, options) => {
    if (options?.isLong) imports += 1;
    return imports > 2 ? Promise.reject(new Error('cut')) : write(statement, options);
  });
  const tenant = await createTenant();
  const done: number[] = [];
  const texts = Array(30).fill('x'.repeat(45_000));
  await expect(importTexts(texts, { isDryRun: false, tenant, done })).rejects.toThrow('cut');
  const stored = await database().testimonial.count({ where: { user_id: tenant.accountId } });
  expect(stored).toBeGreaterThan(0);
  expect(done.at(-1)).toBe(stored);
});

test('what was told before an import fails as a line is listed is all that it has stored', async () => {
  const { accountId, space } = await createTenant();
  const { id: spaceId } = await space();
  async function* lines(): AsyncGenerator<FileLine> {
    for (const submitter_email of ['ada@example.com', 'bo', 'cy@example.com']) {
      yield { line: 1, record: { submitter_name: 'Ada', submitter_email } };
    }
  }
  const told: unknown[] = [];
  const importing = importFile(
    lines(),
    { ...plain, accountId, spaceId },
    { progress: (totals) => told.push(totals), failure: () => Promise.reject(new Error('full')) },
  );
  await expect(importing).rejects.toThrow('full');
  expect(told).toMatchObject([{ created: 2, failed: 1 }]);
});

test('a line that says nothing of a type leaves a video what it is, with its transcript; one that says text does not', async () => {
  const tenant = await createTenant();
  const { id: space_id } = await tenant.space();
  const said = { submitter_name: 'Ada', submitter_email: 'ada@example.com' };
  const video = {
    ...said,
    space_id,
    type: 'video',
    video_url: 'https://example.invalid/v.mp4',
    ai_transcript: 'Hello.',
    text_content: 'Hello.',
  };
  const ids = ['left', 'text'];
  await tenant.api.post('/imports', {
    testimonials: ids.map((external_id) => ({ ...video, external_id })),
  });
  async function* lines(): AsyncGenerator<FileLine> {
    const records = [
      { ...said, external_id: 'left', rating: 4 },
      { ...said, external_id: 'text', rating: 4, type: 'text' },
      { ...said, external_id: 'new', rating: 4 },
    ];
    for (const [index, record] of records.entries()) yield { line: index + 1, record };
  }
  const totals = await importFile(
    lines(),
    { ...plain, accountId: tenant.accountId, spaceId: space_id, on_duplicate: 'update' },
    silent,
  );
  expect(totals).toMatchObject({ created: 1, updated: 2 });
  const of = async (id: string) =>
    (await tenant.api.get(`/testimonials?external_id=${id}`)).body.data[0];
  const kept = { ai_transcript: 'Hello.', text_content: 'Hello.', video_url: video.video_url };
  expect(await of('left')).toMatchObject({ ...kept, type: 'video', rating: 4 });
  expect(await of('text')).toMatchObject({ type: 'text', ai_transcript: null, rating: 4 });
  expect(await of('new')).toMatchObject({ type: 'text', rating: 4 });
});

test('an import ends where its account is closed meanwhile, and says so', async () => {
  const tenant = await createTenant();
  const { id: spaceId } = await tenant.space();
  async function* lines(): AsyncGenerator<FileLine> {
    for (let line = 1; line <= 1001; line += 1) {
      const record = { submitter_name: 'Ada', submitter_email: 'ada@example.com', id: line };
      yield { line, record };
      if (line === 1001) await closeAccount(tenant.accountId);
    }
  }
  const form = { ...plain, accountId: tenant.accountId, spaceId };
  const importing = importFile(lines(), form, silent);
  await expect(importing).rejects.toThrow('The account was closed meanwhile');
  const stored = await database().testimonial.count({ where: { user_id: tenant.accountId } });
  expect(stored).toBe(1000);
});

test.each([
  ['lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
])(
  'a line with %s that nest deeper than calls can is one that fails, and no end',
  async (_, deep) => {
    const { accountId, space } = await createTenant();
    const { id: spaceId } = await space();
    const given = '"submitter_name":"Ada","submitter_email":"ada@example.com"';
    async function* text() {
      for (const name of fileFields) yield `{${given},"${name}":${deep}}\n`;
      yield `{${given},"id":${deep},"other":${deep}}\n`;
    }
    const lines: number[] = [];
    const totals = await importFile(
      readJsonLines(text()),
      { ...plain, accountId, spaceId },
      { ...silent, failure: (line) => void lines.push(line) },
    );
    // Of the space the file is not asked.
    const failed = fileFields.flatMap((name, index) => (name === 'space_id' ? [] : [index + 1]));
    expect(lines).toEqual(failed);
    expect(totals).toMatchObject({ lines: fileFields.length + 1, failed: failed.length });
  },
);

test('a batch ends before an id that it has, and not before one that an earlier batch had', async () => {
  const ids = ['a', 'b', 'a', 'b', 'c'];
  const { done, totals } = await importTexts(
    ids.map(() => 'Good'),
    { isDryRun: false, ids },
  );
  expect(done).toEqual([2, 3]);
  expect(totals).toMatchObject({ created: 3, skipped: 2 });
});

test('a batch that the account has no room for is refused, also where it alone would exceed it', async () => {
  provideEnv({ ACCOUNT_QUOTA_BYTES: '50000' });
  const texts = Array(2).fill('x'.repeat(40_000));
  await expect(importTexts(texts, { isDryRun: false })).rejects.toThrow('stores as much as it may');
});

test('of a dry run nothing is left for whoever uses its connection next', async () => {
  const { accountId, totals } = await importTexts(['Good', 'Bad'], { isDryRun: true });
  expect(totals).toMatchObject({ created: 2, failed: 0 });
  expect(await database().testimonial.count({ where: { user_id: accountId } })).toBe(0);
});

test.each([false, true])(
  'what may take long is given minutes (a dry run: %s)',
  async (isDryRun) => {
    const given = jest.spyOn(Socket.prototype, 'setTimeout');
    await importTexts(['Good'], { isDryRun });
    expect(given.mock.calls.map(([ms]) => ms)).toContain(600_000);
  },
);
