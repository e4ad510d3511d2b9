import type { ErrorCode } from '@/src/api/errors';
import type { Answer } from './client';

/** ISO 8601 with microseconds and UTC offset. Contract, section 2. */
export const wireInstantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/;

/** The error body of contract section 7 with this code, and nothing else: no hint, no row. */
export function expectError(answer: Answer, status: number, code: ErrorCode): void {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: { error: { code, message: expect.any(String) } },
  });
}

/** Deletes answer 204 without a body. */
export function expectNoContent(answer: Answer): void {
  expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([204, '', null]);
}

/** Orders texts as Postgres orders uuids and wire instants: by code unit. */
export function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
