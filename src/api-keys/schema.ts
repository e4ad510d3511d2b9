import { z } from 'zod';
import { changesAnything, name, utcInstant, uuid, wireId, wireInstant } from '../api/fields';
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
  /** The id of the key that a rotation made in place of this one. */
  replaced_by: z.uuid().nullable(),
});

export type ApiKey = z.infer<typeof apiKey>;

const keyFields = {
  name: name(100),
  scopes: z
    .array(scope)
    .min(1)
    .max(10)
    .transform((scopes) => [...new Set(scopes)]),
  /** JSON has no dates: a browser's arrives as text. */
  expires_at: z
    .union([z.date(), utcInstant.transform((instant) => new Date(instant))])
    .refine(isOfFourDigits, 'Expected a year from 1 to 9999')
    .nullish(),
};

export const createApiKeyInput = z.object(keyFields);

export type CreateApiKeyInput = z.output<typeof createApiKeyInput>;

/** The only time the key itself is shown. */
export const createdApiKey = apiKey.extend({ key: z.string() });

export const apiKeyIdInput = z.object({ id: uuid });

export const updateApiKeyInput = z
  .object({ id: uuid, ...z.object(keyFields).partial().shape, enabled: z.boolean().optional() })
  .refine(changesAnything);

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

/** What a key can be told of itself and its account. */
const self = z
  .object({
    account_id: wireId,
    mode: z
      .literal('test')
      .optional()
      .meta({ description: 'Of a key made in test mode, which reaches test data alone.' }),
    plan: z.enum(['free', 'paid']),
    key: z.object({
      name: z.string(),
      hint: z.string().meta({ description: 'The prefix and the last four characters.' }),
      scopes: z.array(scope).max(scope.options.length),
      expires_at: wireInstant.nullable().meta({ description: 'Null for a key that never does.' }),
    }),
    rate_limit: z
      .object({
        limit: z.int().min(0).meta({ format: 'int32' }),
        remaining: z.int().min(0).meta({ format: 'int32' }),
        reset_at: wireInstant.nullable().meta({
          description: 'End of the window; null between two windows.',
        }),
      })
      .meta({ description: 'Of the account, this request counted.' }),
  })
  .meta({ id: 'Self' });

export type Self = z.infer<typeof self>;

export const selfAnswer = z.object({ data: self }).meta({
  examples: [
    {
      data: {
        account_id: '5b1f2e3d-4c5b-4a69-8877-665544332211',
        plan: 'paid',
        key: {
          name: 'Website',
          hint: 'sk_live_…9f3c',
          scopes: ['read'],
          expires_at: '2027-01-15T10:30:00.123456+00:00',
        },
        rate_limit: { limit: 1000, remaining: 999, reset_at: '2026-01-15T11:30:00.123000+00:00' },
      } satisfies Self,
    },
  ],
});

/** The database has no year 0, and answers write four digits. */
function isOfFourDigits(date: Date): boolean {
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999;
}
