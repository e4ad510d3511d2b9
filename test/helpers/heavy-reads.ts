import { Client } from 'pg';
import { promised } from './promised';

/** Keeps the first two heavy reads, as many as an account has at once, from the database until they are released. */
export function holdHeavyReads() {
  const original = Client.prototype.query;
  let begun = 0;
  const released = promised<void>();
  async function query(this: Client, ...parameters: unknown[]): Promise<unknown> {
    if (String(parameters[0]).startsWith('BEGIN READ ONLY')) {
      begun += 1;
      if (begun <= 2) await released.promise;
    }
    return Reflect.apply(original, this, parameters);
  }
  jest.spyOn(Client.prototype, 'query').mockImplementation(query);
  return { begun: () => begun, release: released.resolve };
}
