import type { Entry } from '@/src/requests/entry';

let number = 0;

/** What is written of one request, with an id of its own. */
export function entry(accountId: string, status = 200): Entry {
  number += 1;
  return { id: `${number}`, accountId, receivedAt: Date.now(), status, count: 1 };
}
