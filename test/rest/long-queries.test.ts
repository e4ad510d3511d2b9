import { readQuery } from '../../src/rest/input';

const fields = new Map([['search', 'text' as const]]);

test('the parameters beside one with U+FFFD are not parsed again one by one', () => {
  const askedOne = jest.spyOn(URLSearchParams.prototype, 'has');
  readQuery(`?search=%EF%BF%BD${'&a'.repeat(5_000)}`, fields);
  const times = askedOne.mock.calls.length;
  askedOne.mockRestore();
  expect(times).toBe(0);
});

test.each([
  ['alone', '?search=a%FFb'],
  ['behind others and empty ones', '?&&a=%EF%BF%BD&&search=a%FFb&b=1'],
  ['with an escaped name', '?a=1&s%65arch=%C3'],
])('a parameter that is no UTF-8 is refused: %s', (_name, search) => {
  expect(() => readQuery(search, fields)).toThrow();
});

test('of parameters it does not know, a query may have what is no UTF-8', () => {
  const read = readQuery('?&a=%FF&&search=%EF%BF%BD+%25&b=%C3', fields);
  expect(read).toEqual({ search: '\ufffd %' });
});
