import { z } from 'zod';
import { Prisma } from '../database/generated/client';

/** As Prisma says it of a statement of ours; of one of its own it has a code. */
const violation = z.object({
  driverAdapterError: z.object({
    cause: z.object({ kind: z.literal('UniqueConstraintViolation') }),
  }),
});

/** Whether a row was refused because there is one with a value that is unique. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false;
  return error.code === 'P2002' || violation.safeParse(error.meta).success;
}
