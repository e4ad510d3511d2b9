/** Options of the commands that name a database, which their messages continue. */
import { z } from 'zod';
import type { Place } from '../copying/places';
import { requireEmbedded } from '../database/open';
import { env } from '../env';
import { databaseUrl, folder } from '../env-values';

/** The database that a service with this environment uses. */
export function configuredPlace(): Place {
  const { DATABASE_URL, DATA_FOLDER } = env();
  return DATABASE_URL ? { url: DATABASE_URL } : { folder: DATA_FOLDER };
}

/**
 * Before something is read from it: a look into the data folder would say less of one that another user
 * has, and of a schedule without the settings of the service.
 * @throws Error that says what to do, where an embedded one is not there or its folder cannot be used
 */
export function requireSource(place: Place): void {
  if ('folder' in place) requireEmbedded(place.folder);
}

/**
 * A `postgresql://` address, else the path of a data folder; what DATABASE_URL or DATA_FOLDER refuses, the
 * service could not be started with. One with an @ must have a slash before it: it may be an address of
 * which the beginning was forgotten, and holds a password then.
 */
export const placeOption = z
  .string('is missing')
  // As around a setting.
  .trim()
  .min(1, 'is missing')
  .refine(
    (text) => !/^[^/]*@/.test(text),
    'must begin with postgresql://, or with ./ where it is a folder',
  )
  .superRefine((text, context) => {
    const { error } = (isAddress(text) ? databaseUrl : folder).safeParse(text);
    for (const { message } of error?.issues ?? []) context.addIssue({ code: 'custom', message });
  })
  .transform((text): Place => (isAddress(text) ? { url: text } : { folder: text }));

function isAddress(text: string): boolean {
  return text.includes('://');
}
