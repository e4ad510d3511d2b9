import { z } from 'zod';
import { text, utcInstant, uuid } from '../api/fields';
import { scope } from '../api/scopes';

export const apiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The prefix and the last four characters; all that can be shown after creation. */
  hint: z.string(),
  scopes: z.array(scope),
  enabled: z.boolean(),
  expires_at: z.date().nullable(),
  last_used_at: z.date().nullable(),
  created_at: z.date(),
});

export type ApiKey = z.infer<typeof apiKey>;

export const createApiKeyInput = z.object({
  name: text(1, 100),
  scopes: z
    .array(scope)
    .min(1)
    .max(10)
    .transform((scopes) => [...new Set(scopes)]),
  /** JSON has no dates: a browser's arrives as text. */
  expires_at: z.union([z.date(), utcInstant.transform((instant) => new Date(instant))]).nullish(),
});

export type CreateApiKeyInput = z.output<typeof createApiKeyInput>;

/** The only time the key itself is shown. */
export const createdApiKey = apiKey.extend({ key: z.string() });

export const apiKeyIdInput = z.object({ id: uuid });

export const updateApiKeyInput = z
  .object({ id: uuid, name: text(1, 100).optional(), enabled: z.boolean().optional() })
  .refine((input) => input.name !== undefined || input.enabled !== undefined);

/** How long the old key goes on working beside the one that takes its place. */
export const rotateApiKeyInput = z.object({
  id: uuid,
  overlap_hours: z.union([z.literal(0), z.literal(1), z.literal(24), z.literal(72)]),
});

export type OverlapHours = z.infer<typeof rotateApiKeyInput>['overlap_hours'];

/** The account's window of the rate limit, as this instance counts it. Contract, section 8. */
export const apiUsage = z.object({
  limit: z.int(),
  used: z.int(),
  /** End of the window; null while no window has begun. */
  reset_at: z.date().nullable(),
});

export type ApiUsage = z.infer<typeof apiUsage>;

export type ApiKeyChanges = Omit<z.output<typeof updateApiKeyInput>, 'id'>;
