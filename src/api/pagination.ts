import { z } from 'zod';

/** Query parameters that every list takes. Contract, section 4 and section 8. */
export const pageInput = {
  limit: z
    .int()
    .min(1)
    .max(100)
    .default(50)
    .meta({ format: 'int32', description: 'How many items to return.' }),
  offset: z.int().min(0).default(0).meta({ description: 'How many items to skip.' }),
  sort_by: z
    .enum(['created_at', 'updated_at', 'rating', 'shares'])
    .default('created_at')
    .meta({ description: 'What to sort by.' }),
  sort_order: z.enum(['asc', 'desc']).default('desc').meta({ description: 'Sort direction.' }),
};

export type SortKey = z.infer<typeof pageInput.sort_by>;
export type SortOrder = z.infer<typeof pageInput.sort_order>;

/** Contract, section 2. */
export const pagination = z
  .object({
    total: z
      .int()
      .min(0)
      .meta({ format: 'int32', description: 'Items that match the filters, across all pages.' }),
    limit: z.int().min(1).max(100).meta({ format: 'int32' }),
    offset: z.int().min(0),
    has_more: z.boolean().meta({ description: 'True exactly when offset + limit < total.' }),
  })
  .meta({ id: 'Pagination' });

export type Pagination = z.infer<typeof pagination>;

/** The pagination object of one page. */
export function paginate(page: { limit: number; offset: number }, total: number): Pagination {
  const { limit, offset } = page;
  return { total, limit, offset, has_more: offset + limit < total };
}
