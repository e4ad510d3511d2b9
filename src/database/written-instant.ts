import { z } from 'zod';

/** An instant as `wireInstantColumn` writes it, read back; Postgres has no year 0000. */
export const writtenInstant = z.iso
  .datetime({ offset: true, precision: 6 })
  .regex(/^(?!0000).*\+00:00$/);
