import { randomUUID } from 'node:crypto';
import { database } from '@/src/database/client';
import { routes } from '@/src/operations';
import { createKey } from '../helpers/accounts';
import { send } from '../helpers/client';
import { createEndpoint } from '../helpers/endpoints';
import { changingCases, perform } from './contract';
import { createReader, type Reader } from './reads';

let reader: Reader;
let other: Reader;
let tags: string[];
let tagsOfOther: string[];

const remember = async () => {
  tags = await reader.tags();
  tagsOfOther = await other.tags();
};

beforeAll(async () => {
  other = await createReader();
});

beforeEach(async () => {
  reader = await createReader();
  await remember();
});

/** Every address of the account has a new tag, and a 200 for whoever sends the old one. */
async function expectChanged(of = reader, before = tags): Promise<void> {
  const after = await of.tags();
  expect(after.filter((tag) => before.includes(tag))).toEqual([]);
  for (const [index, path] of of.addresses.entries()) {
    const { status } = await of.ask(path, before[index] ?? '');
    expect([path, status]).toEqual([path, 200]);
  }
}

async function expectUnchanged(of = reader, before = tags): Promise<void> {
  expect(await of.tags()).toEqual(before);
}

test('every operation that changes or deletes testimonials or spaces is among those that are tested here', () => {
  const declared = routes.flatMap(({ template, operations }) =>
    [...operations.values()]
      .filter(({ method }) => method !== 'GET' && !template.startsWith('/webhook-'))
      .map(({ method }) => `${method} ${template}`),
  );
  expect(changingCases.map(([name]) => name).sort()).toEqual(declared.sort());
});

describe.each(changingCases)('%s', (_name, operation) => {
  const { method, template, success } = operation;

  test('changes the tag of every GET of its account, and of no other', async () => {
    const { path, json } = await operation.prepare(reader.tenant);
    await remember();
    const { key } = reader;
    const answer = await send(method, path, json === undefined ? { key } : { key, json });
    expect(answer.status).toBe(success);
    await expectChanged();
    await expectUnchanged(other, tagsOfOther);
  });

  test('changes none where it is refused', async () => {
    const { tenant, key } = reader;
    const { path, json } = await operation.prepare(tenant);
    await remember();
    const asPrepared = json === undefined ? {} : { json };
    const noScope = await createKey(tenant.accountId, ['read']);
    expect((await send(method, path, asPrepared)).status).toBe(401);
    expect((await send(method, path, { key: noScope, ...asPrepared })).status).toBe(403);
    if (json !== undefined) {
      expect((await send(method, path, { key, raw: '{' })).status).toBe(500);
      expect((await send(method, path, { key, json: {} })).status).toBe(400);
      const wrong = { ...json, name: '', status: 'no', testimonial_ids: ['no'], events: 'no' };
      expect((await send(method, path, { key, json: wrong })).status).toBe(400);
    }
    const { id } = template.startsWith('/spaces') ? other.space : other.testimonial;
    for (const notOwn of template.includes('{id}') ? [id, randomUUID()] : []) {
      const at = template.replace('{id}', notOwn);
      const { status } = await send(method, at, { key, ...asPrepared });
      // To delete a space that is not there is no error.
      expect([404, 204]).toContain(status);
    }
    await expectUnchanged();
    await expectUnchanged(other, tagsOfOther);
  });

  test('of another account changes none', async () => {
    const answer = await perform(operation, other.tenant, other.key);
    expect(answer.status).toBe(success);
    await expectUnchanged();
  });
});

test('a batch that meets no row of the account changes none', async () => {
  const testimonial_ids = [other.testimonial.id, randomUUID()];
  const { api } = reader.tenant;
  const updated = await api.post('/testimonials/batch/update', {
    testimonial_ids,
    status: 'approved',
  });
  const deleted = await api.post('/testimonials/batch/delete', { testimonial_ids });
  expect([updated.body, deleted.body]).toEqual([{ data: [], updated: 0 }, { deleted: 0 }]);
  await expectUnchanged();
  await expectUnchanged(other, tagsOfOther);
});

test('what is no part of an answer, such as a key or a webhook endpoint, changes no tag', async () => {
  const { accountId } = reader.tenant;
  await createKey(accountId);
  await createEndpoint(accountId, ['testimonial.created']);
  await expectUnchanged();
});

describe('a change by SQL', () => {
  const byId = () => ({ where: { id: reader.testimonial.id } });

  test.each<[string, () => Promise<unknown>]>([
    [
      'the transcript that is saved',
      () => database().testimonial.update({ ...byId(), data: { ai_transcript: 'Said' } }),
    ],
    [
      'shares that are counted',
      () => database().testimonial.update({ ...byId(), data: { shares: { increment: 1 } } }),
    ],
    [
      'a row that is written as it was',
      () => database().$executeRaw`
        UPDATE testimonials SET status = status WHERE id = ${reader.testimonial.id}::uuid`,
    ],
    [
      'a row of many that are changed at once',
      () => database().$executeRaw`
        UPDATE testimonials SET rating = 2
        WHERE id IN (${reader.testimonial.id}::uuid, ${randomUUID()}::uuid)`,
    ],
    [
      'a space that is renamed',
      () =>
        database().space.update({ where: { id: reader.space.id }, data: { description: 'New' } }),
    ],
    [
      'a space that is inserted',
      () =>
        database().space.create({
          data: { user_id: reader.tenant.accountId, name: 'New', slug: randomUUID() },
        }),
    ],
  ])('%s: changes the tag of every GET of its account, and of no other', async (_, change) => {
    await change();
    await expectChanged();
    await expectUnchanged(other, tagsOfOther);
  });

  test('that moves a testimonial or a space to another account changes the tags of both', async () => {
    const to = await createReader();
    const { id: empty } = await reader.tenant.space();
    const { id: moved } = await reader.tenant.testimonial(reader.space.id);
    for (const move of [
      () => database().$executeRaw`
        UPDATE testimonials SET space_id = ${to.space.id}::uuid, user_id = ${to.tenant.accountId}::uuid
        WHERE id = ${moved}::uuid`,
      () => database().$executeRaw`
        UPDATE spaces SET user_id = ${to.tenant.accountId}::uuid WHERE id = ${empty}::uuid`,
    ]) {
      const [from, into] = [await reader.tags(), await to.tags()];
      expect(await move()).toBe(1);
      await expectChanged(reader, from);
      await expectChanged(to, into);
    }
  });

  test('that is rolled back changes none', async () => {
    const undone = database().$transaction(async (transaction) => {
      await transaction.testimonial.update({ ...byId(), data: { shares: 5 } });
      throw new Error('Undone');
    });
    await expect(undone).rejects.toThrow('Undone');
    await expectUnchanged();
  });
});
