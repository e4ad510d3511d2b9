import { TRPCClientError } from '@trpc/client';
import { ApiError } from '@/src/api/errors';
import { createQueryClient } from '@/src/ui/calls/query-client';

/** By which the client knows a browser; tests come in any order. */
afterEach(() => Reflect.deleteProperty(global, 'window'));

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

/** As a call fails that was answered with this code, or by something between with this status. */
function failure({ code, status }: { code?: string; status?: number }): unknown {
  const meta = status === undefined ? {} : { response: new Response(null, { status }) };
  return code === undefined
    ? TRPCClientError.from(new Error('no answer'), { meta })
    : TRPCClientError.from({ error: { code: -1, message: '', data: { code } } }, { meta });
}

const late = TRPCClientError.from(new DOMException('The operation timed out', 'TimeoutError'));

test.each([
  ['is not answered', failure({}), [true, true, false]],
  ['is answered that the service failed', failure({ code: 'INTERNAL_ERROR' }), [true, true, false]],
  ['is answered by a gateway', failure({ status: 502 }), [true, true, false]],
  ['is refused', failure({ code: 'VALIDATION_ERROR', status: 500 }), [false, false, false]],
  ['is refused on its way', failure({ status: 403 }), [false, false, false]],
  ['was waited for', late, [false, false, false]],
])('in a browser, what %s is asked for again as often as may help', (_, error, again) => {
  Reflect.defineProperty(global, 'window', { value: {}, configurable: true });
  const { retry } = createQueryClient().getDefaultOptions().queries ?? {};
  if (typeof retry !== 'function') throw new Error('It has no rule.');
  expect([0, 1, 2].map((failures) => Reflect.apply(retry, null, [failures, error]))).toEqual(again);
});
