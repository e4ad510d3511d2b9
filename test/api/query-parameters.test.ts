import { queryParameters, withDecodableEscapes } from '@/src/api/query-parameters';

const escapes = [
  '%',
  '%f',
  '%zz',
  '%41',
  '%26',
  '%3d',
  '%2B',
  '%25',
  '%00',
  '%ff',
  '%c3%a4',
  '%C3',
];
const utf8 = ['%a4', '%e0%a4', '%ed%a0%80', '%f0%9f%98%80', '%ef%bb%bf'];
const parts = ['a', '&', '=', '+', ...escapes, ...utf8, '?', '#', "'"];

/** Queries of parts that can and cannot be decoded, the same in each run. */
function someQueries(count: number): string[] {
  let seed = 1;
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const one = () => Array.from({ length: next(12) }, () => parts[next(parts.length)]).join('');
  return Array.from({ length: count }, () => `?${one()}`);
}

test('a query is read as URLSearchParams reads it, whatever is escaped in it', () => {
  const read = (parameters: URLSearchParams) => JSON.stringify([...parameters]);
  const others = someQueries(5_000).filter(
    (search) => read(queryParameters(search)) !== read(new URLSearchParams(search)),
  );
  expect(others).toEqual([]);
});

// Each exception costs as much as ten parameters, and a query has room for thousands.
test('no part of what is read costs an exception of its own', () => {
  const queries = [`?${'a=%ff&'.repeat(2_000)}`, `?${'a=%&'.repeat(2_000)}`, ...someQueries(1_000)];
  for (const search of queries) {
    expect(() => decodeURIComponent(withDecodableEscapes(search))).not.toThrow();
  }
});
