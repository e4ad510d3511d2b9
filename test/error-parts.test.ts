import { readFileSync } from 'node:fs';
import { codeOf, messageOf } from '@/src/error-parts';

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
