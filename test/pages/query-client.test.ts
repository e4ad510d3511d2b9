import { ApiError } from '@/src/api/errors';
import { createQueryClient } from '@/src/ui/query-client';

test.each([
  new ApiError('WEBHOOK_ENDPOINT_NOT_FOUND'),
  new ApiError('VALIDATION_ERROR'),
  new ApiError('INTERNAL_ERROR'),
])(
  'a page that is rendered asks once, and does not wait to ask again after $apiCode',
  async (error) => {
    const read = jest.fn().mockRejectedValue(error);
    const query = { queryKey: ['endpoint'], queryFn: read };
    await expect(createQueryClient().fetchQuery(query)).rejects.toBe(error);
    expect(read).toHaveBeenCalledTimes(1);
  },
);
