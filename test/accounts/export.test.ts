import { GET } from '@/app/api/account/export/route';
import { database } from '@/src/database/client';
import { accountParameter } from '@/src/mode';
import { createKey } from '../helpers/accounts';
import { client } from '../helpers/client';
import { callTrpc, signUp } from '../helpers/session';
import { tablesOfAccounts } from '../helpers/tables-of-accounts';
import { intoTestMode } from '../helpers/test-mode';
import { temporaryFiles } from '../storage/files';
import { addPending } from '../webhooks/backlog';
import { addTestimonials } from './person';

const ask = (headers: Record<string, string>, method = 'GET', query = '') =>
  GET(
    new Request(`http://localhost/api/account/export${query}`, {
      method,
      headers: { host: 'localhost', ...headers },
    }),
  );

temporaryFiles();

const newKey = { name: 'Test', scopes: ['read'] };

/** Tables with rows of an account that are in the file, each with the kind of its lines. */
const exported = {
  api_keys: 'api_key',
  audit_entries: 'audit_entry',
  spaces: 'space',
  testimonials: 'testimonial',
  webhook_endpoints: 'webhook_endpoint',
};

/** Tables with rows of an account that are not, and why. */
const leftOut = {
  account_links: 'secret, and of no use to anybody else',
  file_removals: 'work of the service',
  idempotency_keys: 'answers of a day, sealed',
  mails: 'work of the service',
  request_log: 'kept for 7 days, to look into',
  sessions: 'secret',
  sign_in_methods: 'secret',
  stored_files: 'named by the rows that use them',
  testimonial_counts: 'follow from testimonials',
  testimonial_texts: 'follow from testimonials',
  transcription_jobs: 'work of the service',
  webhook_events: 'what happened in 30 days, which the feed has',
};

type Line = { kind: string; data: Record<string, unknown> };

async function linesOf(response: Response): Promise<Line[]> {
  const text = await response.text();
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

async function createPerson() {
  const person = await signUp();
  const key = await createKey(person.accountId);
  const api = client(key);
  const { body } = await api.post('/spaces', { name: `Space of ${person.email}` });
  return { ...person, key, api, spaceId: String(body.data.id) };
}

async function addEndpoint(headers: { cookie: string }) {
  const input = { url: 'https://receiver.example/', event_types: ['testimonial.created'] };
  const { data } = await callTrpc('mutation', 'webhooks.endpoints.create', input, headers);
  return { id: String(data.id), secret: String(data.secret) };
}

test('every table with rows of an account is in the file, or left out for a reason', async () => {
  const known = [...Object.keys(exported), ...Object.keys(leftOut)];
  expect(known.sort()).toEqual(await tablesOfAccounts());
});

test('rows that are too large to be read together unasked are in the file', async () => {
  const person = await createPerson();
  await addTestimonials(person, 12);
  await database().$executeRaw`
    UPDATE testimonials SET text_content = repeat('é', 50000)
    WHERE user_id = ${person.accountId}::uuid`;
  const lines = await linesOf(await ask({ cookie: person.cookie }));
  expect(lines.filter(({ kind }) => kind === 'testimonial').length).toBe(12);
  expect(lines.at(-1)?.kind).toBe('end');
});

test('the file has everything of the account, each as the API has it, and no secret', async () => {
  const [person, other] = [await createPerson(), await createPerson()];
  await addTestimonials(person, 230);
  await addTestimonials(other, 3);
  const endpoint = await addEndpoint({ cookie: person.cookie });
  await addPending(endpoint.id, 120);
  const response = await ask({ cookie: person.cookie });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="testimonials-account-\d{4}-\d\d-\d\d\.jsonl"$/,
  );
  expect(response.headers.get('cache-control')).toBe('no-store');
  const lines = await linesOf(response);
  const of = (kind: string) => lines.filter((line) => line.kind === kind);
  expect(new Set(lines.map(({ kind }) => kind))).toEqual(
    new Set(['account', ...Object.values(exported), 'webhook_delivery', 'end']),
  );
  expect(of('account')).toMatchObject([{ data: { id: person.accountId, email: person.email } }]);
  const testimonials = of('testimonial').map(({ data }) => data);
  expect(new Set(testimonials.map(({ text_content }) => text_content)).size).toBe(230);
  const [first] = testimonials;
  expect((await person.api.get(`/testimonials/${first?.id}`)).body.data).toEqual(first);
  expect(of('webhook_delivery').length).toBe(120);
  expect(of('audit_entry').map(({ data }) => data.action)).toEqual(['created', 'created']);
  expect(lines.at(-1)?.kind).toBe('end');
  const text = JSON.stringify(lines);
  const { digest } = await database().apiKey.findFirstOrThrow({
    where: { userId: person.accountId },
  });
  for (const secret of [person.key, digest, endpoint.secret, other.email, other.spaceId]) {
    expect(text).not.toContain(secret);
  }
});

test('of spaces and of changes to keys all are in the file, however many there are', async () => {
  const { accountId, cookie } = await createPerson();
  await database().$executeRaw`
    INSERT INTO spaces (user_id, name, slug)
    SELECT ${accountId}::uuid, 'Space', 'space-' || number FROM generate_series(1, 119) number`;
  await database().$executeRaw`
    INSERT INTO audit_entries (user_id, subject_type, subject_id, subject_name, action, actor_type)
    SELECT ${accountId}::uuid, 'api_key', gen_random_uuid(), 'Key', 'created', 'session'
    FROM generate_series(1, 119)`;
  const lines = await linesOf(await ask({ cookie }));
  const idsOf = (kind: string) =>
    new Set(lines.filter((line) => line.kind === kind).map(({ data }) => data.id));
  // With the one of each that it had.
  expect([idsOf('space').size, idsOf('audit_entry').size]).toEqual([120, 120]);
});

test('test data follows, in kinds of its own, whatever mode the session is in', async () => {
  const person = await createPerson();
  const { accountId, headers } = await intoTestMode(person);
  await callTrpc('mutation', 'testMode.addSamples', undefined, headers);
  const { key } = (await callTrpc('mutation', 'apiKeys.create', newKey, headers)).data;
  const endpoint = await addEndpoint(headers);
  await addPending(endpoint.id, 3);
  const lines = await linesOf(await ask(headers));
  const of = (kind: string) => lines.filter((line) => line.kind === kind);
  expect(of('account')).toMatchObject([{ data: { id: person.accountId, email: person.email } }]);
  expect(of('space')).toMatchObject([{ data: { id: person.spaceId } }]);
  expect(of('testimonial')).toEqual([]);
  expect(of('test_space')).toMatchObject([{ data: { user_id: accountId } }]);
  expect(of('test_testimonial')).toHaveLength(12);
  expect(of('test_api_key')).toMatchObject([{ data: { hint: `sk_test_…${key.slice(-4)}` } }]);
  expect(of('test_webhook_endpoint')).toMatchObject([{ data: { id: endpoint.id } }]);
  expect(of('test_webhook_delivery')).toHaveLength(3);
  const text = JSON.stringify(lines);
  for (const secret of [key, endpoint.secret]) expect(text).not.toContain(secret);
});

test('one at a time for an account, until it is read or left', async () => {
  const [person, other] = [await createPerson(), await createPerson()];
  const first = await ask({ cookie: person.cookie });
  expect((await ask({ cookie: person.cookie })).status).toBe(409);
  expect((await ask({ cookie: other.cookie })).status).toBe(200);
  await first.body?.cancel();
  const second = await ask({ cookie: person.cookie });
  expect((await linesOf(second)).at(-1)?.kind).toBe('end');
  expect((await ask({ cookie: person.cookie })).status).toBe(200);
});

test('HEAD tells what it would be, and keeps none out', async () => {
  const { cookie } = await signUp();
  const head = await ask({ cookie }, 'HEAD');
  expect([head.status, head.body]).toEqual([200, null]);
  const whole = await ask({ cookie });
  expect(whole.status).toBe(200);
  expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(whole.headers));
  expect((await linesOf(whole)).at(-1)?.kind).toBe('end');
});

test('one that is left while a page is read makes room for one more, and for one alone', async () => {
  const { cookie } = await createPerson();
  const reader = (await ask({ cookie })).body?.getReader();
  const reading = reader?.read();
  const leaving = reader?.cancel();
  expect((await ask({ cookie })).status).toBe(200);
  await Promise.all([reading, leaving]);
  expect((await ask({ cookie })).status).toBe(409);
});

test('one that nobody reads makes room after a minute, and goes no further', async () => {
  const { cookie } = await createPerson();
  const abandoned = await ask({ cookie });
  const now = performance.now();
  const clock = jest.spyOn(performance, 'now').mockReturnValue(now + 50_000);
  expect((await ask({ cookie })).status).toBe(409);
  clock.mockReturnValue(now + 61_000);
  const next = await ask({ cookie });
  expect(next.status).toBe(200);
  clock.mockRestore();
  await expect(abandoned.text()).rejects.toThrow();
  expect((await linesOf(next)).at(-1)?.kind).toBe('end');
});

test('one that is read slowly is not left: the minute begins with each page that is taken', async () => {
  const { cookie } = await createPerson();
  const now = performance.now();
  const clock = jest.spyOn(performance, 'now').mockReturnValue(now);
  const reader = (await ask({ cookie })).body?.getReader();
  clock.mockReturnValue(now + 50_000);
  await reader?.read();
  clock.mockReturnValue(now + 100_000);
  expect((await ask({ cookie })).status).toBe(409);
  clock.mockRestore();
  expect(await readUntil(reader, '"kind":"end"')).toContain('"kind":"end"');
});

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** What comes next, up to the first piece that has the text, or to the end. */
async function readUntil(reader: Reader | undefined, text: string): Promise<string> {
  let read = '';
  while (!read.includes(text)) {
    const piece = await reader?.read();
    if (!piece || piece.done) break;
    read += new TextDecoder().decode(piece.value);
  }
  return read;
}

test('no more is read than is taken', async () => {
  const person = await createPerson();
  await addTestimonials(person, 500);
  const response = await ask({ cookie: person.cookie });
  const reader = response.body?.getReader();
  await reader?.read();
  // What is removed now was not read before.
  await database().testimonial.deleteMany({ where: { user_id: person.accountId } });
  const rest = await readUntil(reader, '"kind":"end"');
  expect(rest).not.toContain('"kind":"testimonial"');
  expect(rest).toContain('"kind":"end"');
});

test('an endpoint that is deleted while the file is read leaves out its deliveries alone', async () => {
  const person = await createPerson();
  const [kept, deleted] = [
    await addEndpoint({ cookie: person.cookie }),
    await addEndpoint({ cookie: person.cookie }),
  ];
  await addPending(kept.id, 1);
  await addPending(deleted.id, 1);
  const reader = (await ask({ cookie: person.cookie })).body?.getReader();
  const listed = await readUntil(reader, '"kind":"webhook_endpoint"');
  expect(listed).toContain(deleted.id);
  const { cookie } = person;
  await callTrpc('mutation', 'webhooks.endpoints.delete', { id: deleted.id }, { cookie });
  const rest = await readUntil(reader, '"kind":"end"');
  expect(rest.match(/"kind":"webhook_delivery"/g)).toHaveLength(1);
  expect(rest).toContain('"kind":"end"');
});

test('a file that breaks off has no end, and the next may begin', async () => {
  const { accountId, cookie } = await createPerson();
  const setQuestions = (questions: string | null) => database().$executeRaw`
    UPDATE spaces SET custom_questions = ${questions}::json WHERE user_id = ${accountId}::uuid`;
  await setQuestions('"of no kind that a space has"');
  await expect((await ask({ cookie })).text()).rejects.toThrow();
  await setQuestions(null);
  expect((await linesOf(await ask({ cookie }))).at(-1)?.kind).toBe('end');
});

test('nobody else may have it', async () => {
  const { cookie } = await createPerson();
  const nobody = await ask({});
  expect([nobody.status, nobody.headers.get('location')]).toEqual([303, '/sign-in?next=/account']);
  expect((await ask({ cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
});

test('whoever opens its address by hand has it, as from a page of the service', async () => {
  const { cookie } = await createPerson();
  for (const site of ['none', 'same-origin']) {
    const lines = await linesOf(await ask({ cookie, 'sec-fetch-site': site }));
    expect(lines.at(-1)?.kind).toBe('end');
  }
});

test('a page that shows another account than the one that is signed in is told so', async () => {
  const [shown, { cookie, accountId }] = [await signUp(), await createPerson()];
  const refused = await ask({ cookie }, 'GET', `?${accountParameter}=${shown.accountId}`);
  expect([refused.status, refused.headers.get('content-disposition')]).toEqual([409, null]);
  expect(await refused.text()).toContain('Another account was signed in to meanwhile.');
  const lines = await linesOf(await ask({ cookie }, 'GET', `?${accountParameter}=${accountId}`));
  expect(lines.at(-1)?.kind).toBe('end');
});
