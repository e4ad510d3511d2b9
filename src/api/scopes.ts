import { z } from 'zod';

/** What a key may be allowed to do. Contract, section 5. */
export const scope = z.enum(['read', 'write', 'delete']);

export type Scope = z.infer<typeof scope>;
