import { pool } from '@/src/database/client';
import { directWriter, type Writer } from '@/src/database/writer';
import { answerOnce } from '@/src/idempotency/answer-once';
import { importTestimonials } from '@/src/imports/import';
import { setWorker } from '@/src/outbox/due';
import { createTenant, type Tenant } from '../helpers/accounts';
import { settled } from '../helpers/next-server';
import { statementsOf } from '../helpers/statements';
import { importInto, item } from './items';

let tenant: Tenant;
let space: string;

beforeEach(async () => {
  tenant = await createTenant();
  space = (await tenant.space()).id;
});

const options = { on_duplicate: 'skip', events: true } as const;

/** So long that a few of them are more than one statement takes. */
const long = (externalId: string) =>
  item(space, externalId, { text_content: `${externalId} `.repeat(12_000) });

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];

const stored = async () => {
  const { rows } = await pool().query<{ external_id: string }>(
    'SELECT external_id FROM testimonials WHERE user_id = $1 ORDER BY external_id',
    [tenant.accountId],
  );
  return rows.map((row) => row.external_id);
};

/** Fails at the second statement. */
function failing({ write }: Pick<Writer, 'write'>): Pick<Writer, 'write'> {
  let statements = 0;
  return {
    write: (statement, terms) => {
      statements += 1;
      if (statements > 1) throw new Error('away');
      return write(statement, terms);
    },
  };
}

test('no statement is given more than a part of an import of long texts', async () => {
  const json = { testimonials: names.map(long) };
  const statements = await statementsOf(tenant.api.key, ['POST', '/imports', json]);
  expect(statements.length).toBeGreaterThan(2);
  const sizes = statements.map(({ values }) => JSON.stringify(values).length);
  expect(Math.max(...sizes)).toBeLessThan(300_000);
  expect(await stored()).toEqual(names);
});

test('of items with the same id in several pieces the first counts, in the order of the items', async () => {
  const items = [...names.map(long), item(space), long('a'), null, long('m')];
  const { data, ...totals } = await importInto(tenant, items);
  expect(totals).toEqual({ created: 14, updated: 0, skipped: 0, invalid: 2 });
  const errors = [{ field: 'external_id', message: 'is that of an earlier item' }];
  expect(data.slice(12)).toMatchObject([
    { result: 'created' },
    { result: 'invalid', external_id: 'a', errors },
    { result: 'invalid' },
    { result: 'created', external_id: 'm' },
  ]);
  expect(await tenant.events()).toHaveLength(14);
});

test('one of an earlier piece that was refused does not count as the first', async () => {
  const other = await (await createTenant()).space();
  const { data } = await importInto(tenant, [
    { ...long('z'), space_id: other.id },
    ...names.map(long),
    long('z'),
  ]);
  expect([data[0].result, data.at(-1).result]).toEqual(['invalid', 'created']);
});

test('what was done before one failed is there, and the same import brings the rest', async () => {
  const items = names.map(long);
  const making = { writer: failing(directWriter), isStrict: false };
  const importing = importTestimonials(tenant.accountId, items, options, making);
  await expect(importing).rejects.toThrow('away');
  const before = await stored();
  expect(before).toEqual(names.slice(0, before.length));
  expect(before.length).toBeGreaterThan(0);
  const { created, skipped } = await importInto(tenant, items);
  expect([created, skipped]).toEqual([names.length - before.length, before.length]);
  expect(await stored()).toEqual(names);
  expect(await tenant.events()).toHaveLength(names.length);
});

test('what was done before one failed is announced as any change is', async () => {
  const announced = jest.fn();
  setWorker(announced);
  const { write } = failing({ write: directWriter.write });
  const writing = jest.spyOn(directWriter, 'write').mockImplementation(write);
  const { status } = await tenant.api.post('/imports', { testimonials: names.map(long) });
  writing.mockRestore();
  await settled();
  setWorker(() => {});
  expect(status).toBe(500);
  expect(await stored()).not.toEqual([]);
  expect(announced).toHaveBeenCalledTimes(1);
});

test('under an Idempotency-Key all pieces are done, or none', async () => {
  const { accountId } = tenant;
  const facts = { method: 'POST', path: '/imports', body: {} };
  const request = { accountId, key: 'night-1', facts, success: 200, isSecret: false };
  const once = (writerOf: (writer: Writer) => Pick<Writer, 'write'>) =>
    answerOnce(request, async (writer) => {
      const making = { writer: writerOf(writer), isStrict: false };
      const { created } = await importTestimonials(accountId, names.map(long), options, making);
      return `${created}`;
    });
  await expect(once(failing)).rejects.toThrow('away');
  expect(await stored()).toEqual([]);
  expect(await once((writer) => writer)).toMatchObject({ body: '12', isReplayed: false });
  expect(await stored()).toEqual(names);
});
