import { z } from 'zod';
import { ApiError } from '@/src/api/errors';
import { describeSent } from '@/src/requests/detail';
import { requestLogLimits } from '@/src/requests/limits';
import { noFields } from '@/src/requests/masking';

const sent = { search: '', parameters: noFields, body: undefined, fields: noFields };

/** What is kept of a request that a schema refused. */
function refused(schema: z.ZodType, body: unknown, search = '') {
  const error = new ApiError('VALIDATION_ERROR', { cause: schema.safeParse(body).error });
  const text = describeSent({ ...sent, search, body, error }) ?? '';
  return { text, detail: JSON.parse(text) };
}

test('of a request that succeeded no body is kept', () => {
  const body = { name: 'A space' };
  const text = describeSent({ ...sent, search: '?a=1', body, error: undefined }) ?? '';
  expect(Object.keys(JSON.parse(text))).toEqual(['query']);
});

test('of an error whose code says it all nothing is kept', () => {
  const error = new ApiError('TESTIMONIAL_NOT_FOUND');
  expect(describeSent({ ...sent, error })).toBeUndefined();
});

test('what was wrong quotes no name that somebody wrote', () => {
  const written = { 'ada@example.com': 'x' };
  expect(refused(z.strictObject({}), written).detail.problems).toEqual([
    { path: '', message: 'Unknown fields' },
  ]);
  expect(refused(z.record(z.string(), z.number()), written).detail.problems).toMatchObject([
    { path: '…' },
  ]);
});

test('of more than is kept, what was wrong stays', () => {
  const names = Array.from({ length: 20 }, (_, n) => `${'long_name_'.repeat(3)}${n}`);
  const body = Object.fromEntries(names.map((name) => [name, 'x']));
  const schema = z.object(Object.fromEntries(names.map((name) => [name, z.number()])));
  const search = `?${new URLSearchParams(body)}`;
  const { text, detail } = refused(schema, body, search);
  expect(text.length).toBeLessThanOrEqual(requestLogLimits.detail);
  expect(Object.keys(detail)).toEqual(['problems', 'more_problems', 'is_cut']);
  expect(detail.is_cut).toBe(true);
});

test('of more problems than are kept it is kept how many there were', () => {
  const { problems } = requestLogLimits;
  const numbers = (count: number) => Array.from({ length: count }, () => 'x');
  const of = (count: number) => refused(z.array(z.number()), numbers(count)).detail;
  expect(of(problems)).not.toHaveProperty('more_problems');
  expect(of(problems + 5)).toMatchObject({ more_problems: 5 });
  expect(of(problems + 5).problems).toHaveLength(problems);
});
