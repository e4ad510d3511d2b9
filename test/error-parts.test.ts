import { readFileSync } from 'node:fs';
import { codeOf, messageOf, reasonOf } from '@/src/error-parts';

function failureOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

test('an error of Node, which is of another realm here, has its code and its message', () => {
  const error = failureOf(() => readFileSync('/nowhere'));
  expect(codeOf(error)).toBe('ENOENT');
  expect(messageOf(error)).toMatch(/^ENOENT: no such file/);
});

test('of an error for several addresses it is the first’s message', () => {
  const errors = [
    new Error('connect ECONNREFUSED ::1'),
    new Error('connect ECONNREFUSED 127.0.0.1'),
  ];
  expect(messageOf(new AggregateError(errors))).toBe('connect ECONNREFUSED ::1');
});

test.each([
  ['text', 'text'],
  [undefined, 'undefined'],
  [null, 'null'],
  [{ code: 5, message: 5 }, '[object Object]'],
])('what is no error, as %j, has no code and is its own message', (thrown, message) => {
  expect([codeOf(thrown), messageOf(thrown)]).toEqual([undefined, message]);
});

test('the reason is what the cause says, of several addresses the first’s, else what the error does', () => {
  const refused = new Error('connect ECONNREFUSED ::1');
  const failed = (cause: unknown) => new TypeError('fetch failed', { cause });
  const errors = [failed(refused), failed(new AggregateError([refused]))];
  expect(errors.map(reasonOf)).toEqual([refused.message, refused.message]);
  const others = [failed(undefined), failed(new Error()), new RangeError(), 'text', null];
  const said = ['fetch failed', 'fetch failed', 'RangeError', 'text', 'null'];
  expect(others.map(reasonOf)).toEqual(said);
});
