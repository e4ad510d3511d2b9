import { statementNames } from '@/src/database/connections/statement-names';

const address = 'postgresql://postgres@localhost/testimonials';
const statements = ['SELECT 1', 'SELECT 2', 'DELETE FROM testimonials'];

test('a name stands for one statement only, in whatever order processes first ran them', () => {
  const here = statementNames(address);
  const there = statementNames(address);
  const names = statements.map(here);
  expect(new Set(names).size).toBe(statements.length);
  expect([...statements].reverse().map(there).reverse()).toEqual(names);
  expect(statements.map(here)).toEqual(names);
  // Postgres cuts longer ones.
  for (const name of names) expect(name).toMatch(/^[\w-]{1,63}$/);
});

test('behind a pooler that is named, and of too many statements, none has a name', () => {
  expect(statementNames(`${address}?pgbouncer=true`)('SELECT 1')).toBe('');
  const nameOf = statementNames(address);
  const names = Array.from({ length: 300 }, (_, count) => nameOf(`SELECT ${count}`));
  expect(names.indexOf('')).toBe(200);
  expect(names.slice(200).join('')).toBe('');
});
