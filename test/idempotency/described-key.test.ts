import type { ParameterObject } from 'openapi3-ts/oas31';
import { readIdempotencyKey } from '@/src/idempotency/key';
import { createTenant } from '../helpers/accounts';
import { isParameter, operationOf, resolve, sendDescribed } from '../rest/conformance';

const described = operationOf('/spaces', 'POST')
  ?.parameters?.map((parameter) => resolve<ParameterObject>(parameter))
  .find((parameter) => parameter?.name === 'Idempotency-Key')?.schema;

const x = (length: number) => 'x'.repeat(length);

/** Each ASCII character that a header may hold, and some beyond. */
const characters = [
  '\t',
  ...Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at)),
  '\x7f',
  '\x80',
  'é',
];

/** Without white space around them, which no header has. */
const keys = [
  '8e03978e-40d5-43e8-bc93-6894a57f9324',
  ...[1, 2, 254, 255, 256, 257, 258, 510, 511, 512, 513].flatMap((length) => [
    x(length),
    `"${x(length)}"`,
  ]),
  ...[254, 255, 256].map((length) => `"${'\\"'.repeat(length)}"`),
  ...characters.flatMap((one) => [`a${one}b`, `"${one}"`, `"\\${one}"`]),
  ...characters.map((one) => one.trim()),
  ...[
    '"a',
    'a"',
    '"a"b',
    '"a" b',
    '"a";b=1',
    '"a", "b"',
    '"a\\"',
    '"a\\\\"',
    '\\"a"',
    '""',
    '"" ""',
  ],
];

/** Whether the service takes it, of whatever operation that knows keys. */
function isTaken(key: string): boolean {
  try {
    return readIdempotencyKey(key) !== undefined;
  } catch {
    return false;
  }
}

describe('the Idempotency-Key that the document describes', () => {
  test('is the one that the service takes, to the character', () => {
    const taken = keys.filter(isTaken);
    expect(keys.filter((key) => isParameter(described, key))).toEqual(taken);
    expect(taken.length).toBeGreaterThan(200);
  });

  test.each([
    ['255 characters', x(255), 201],
    ['255 quoted characters', `"${x(255)}"`, 201],
    ['255 quoted quotes', `"${'\\"'.repeat(255)}"`, 201],
    ['256 quoted characters', `"${x(256)}"`, 400],
    ['a quote that does not end', '"a', 400],
    ['a quoted string with more behind it', '"a" b', 400],
  ])('is taken or refused in a request: %s', async (_, key, status) => {
    const { api } = await createTenant();
    const headers = { 'idempotency-key': key };
    const options = { key: api.key, headers, json: { name: 'A space' } };
    const answer = await sendDescribed('POST', '/spaces', options);
    expect([answer.status, isParameter(described, key)]).toEqual([status, status === 201]);
  });
});
