import { z } from 'zod';
import { ApiError } from '../api/errors';
import { fromOpaque, toOpaque } from '../api/opaque';

/**
 * A place in an account's feed: behind the event that has this position and id. The id tells, after
 * the database was restored from a backup, that another event has the position by now; it is null
 * where no event is known.
 */
export type Place = { position: number; id: string | null };

const written = z.tuple([z.guid(), z.int().min(0), z.guid().nullable()]);

/** It is no secret and is not signed: whoever makes one up reads what its key reads anyway. */
export function writeCursor(accountId: string, { position, id }: Place): string {
  return toOpaque([accountId, position, id]);
}

/** @throws ApiError VALIDATION_ERROR for what `writeCursor` has not made for the account */
export function readCursor(accountId: string, cursor: string): Place {
  const { data } = written.safeParse(fromOpaque(cursor));
  const [account, position, id] = data ?? [];
  if (account !== accountId || position === undefined || id === undefined) {
    throw new ApiError('VALIDATION_ERROR', { cause: 'the cursor is none of this feed' });
  }
  return { position, id };
}
