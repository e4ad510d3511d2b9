import { z } from 'zod';
import { text, uuid } from '../api/fields';

/** Contract, section 5. */
export const scope = z.enum(['read', 'write', 'delete']);

export type Scope = z.infer<typeof scope>;

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
    .transform((scopes) => [...new Set(scopes)]),
  expires_at: z.coerce.date().nullish(),
});

export type CreateApiKeyInput = z.output<typeof createApiKeyInput>;

/** The only time the key itself is shown. */
export const createdApiKey = apiKey.extend({ key: z.string() });

export const apiKeyIdInput = z.object({ id: uuid });

export const updateApiKeyInput = z
  .object({ id: uuid, name: text(1, 100).optional(), enabled: z.boolean().optional() })
  .refine((input) => input.name !== undefined || input.enabled !== undefined);

export type ApiKeyChanges = Omit<z.output<typeof updateApiKeyInput>, 'id'>;
