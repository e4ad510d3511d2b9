import { Client } from 'pg';
import { z } from 'zod';
import { handleRest } from '@/src/rest/rest';

/** One statement as the driver was given it. */
export type Statement = { text: string; values: unknown[] };

export type ApiRequest = [method: string, path: string, json?: unknown];

const driverQuery = z.union([
  z.string().transform((text) => ({ text, values: [] })),
  z.object({ text: z.string(), values: z.array(z.unknown()).default([]) }),
]);

/**
 * Sends one request and returns what it sent to the database for its answer, the look-up of its key
 * first; what it put off until after the answer is left undone. Where the machine is slow, the key is
 * looked up again before it writes, which is left out.
 * @throws Error where the answer is no success
 */
export async function statementsOf(
  key: string,
  [method, address, json]: ApiRequest,
  idempotencyKey?: string,
): Promise<Statement[]> {
  const { pathname: path, search } = new URL(address, 'http://localhost');
  const body = new Blob(json === undefined ? [] : [JSON.stringify(json)]).stream();
  const statements = await statementsDuring(async () => {
    const headers = { authorization: key, ifNoneMatch: null, idempotencyKey, prefer: null };
    const request = { method, path, search, ...headers, body, whenGone: () => {} };
    const answer = await handleRest(request, () => {});
    if (answer.status >= 300) throw new Error(`${answer.status} ${answer.body}`);
  });
  const [lookup, ...others] = statements;
  return lookup ? [lookup, ...others.filter(({ text }) => text !== lookup.text)] : [];
}

/** What the task sends to the database, without what begins and ends a transaction. */
export async function statementsDuring(task: () => Promise<unknown>): Promise<Statement[]> {
  const query = jest.spyOn(Client.prototype, 'query');
  try {
    await task();
    return query.mock.calls
      .map(([first]) => driverQuery.parse(first))
      .filter(({ text }) => !/^(?:BEGIN|COMMIT)\b/.test(text));
  } finally {
    query.mockRestore();
  }
}
