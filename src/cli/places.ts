/** Options of the commands that name a database, which their messages continue. */
import { z } from 'zod';
import type { Place } from '../copying/places';
import { env } from '../env';

/** The database that a service with this environment uses. */
export function configuredPlace(): Place {
  const { DATABASE_URL: url, DATA_FOLDER: folder } = env();
  return url ? { url } : { folder };
}

const postgresUrl = z.url({ protocol: /^postgres(ql)?$/ });

/**
 * A `postgresql://` address, else the path of a data folder. One with an @ must have a slash before
 * it: it may be an address of which the beginning was forgotten, and holds a password then.
 */
export const placeOption = z
  .string('is missing')
  .min(1, 'is missing')
  .refine(
    (text) => !text.includes('://') || postgresUrl.safeParse(text).success,
    'must be a postgresql:// address, or a data folder',
  )
  .refine(
    (text) => !/^[^/]*@/.test(text),
    'must begin with postgresql://, or with ./ where it is a folder',
  )
  .transform((text): Place => (text.includes('://') ? { url: text } : { folder: text }));
