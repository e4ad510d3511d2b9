import { getEventListeners } from 'node:events';
import { chunksOf } from '@/src/outbound/answer-chunks';
import { readStart } from '@/src/outbound/answer-start';

test.each([
  ['is whole where it has just as many bytes as are kept', 'abcd', { text: 'abcd', isWhole: true }],
  ['is not where it has one more, and is cut there', 'abcde', { text: 'abcd', isWhole: false }],
])('the start of an answer %s', async (_, body, start) => {
  expect(await readStart(new Response(body), { maxBytes: 4 })).toEqual(start);
});

describe('where nothing is said any more, of what comes or of an abort', () => {
  const left = jest.fn();
  const silent = () => new Response(new ReadableStream({ cancel: left }));
  const readers: [string, (response: Response, signal: AbortSignal) => Promise<unknown>][] = [
    ['the start', (response, signal) => readStart(response, { maxBytes: 4, signal })],
    [
      'a chunk',
      async ({ body }, signal) => {
        for await (const chunk of chunksOf(body ?? new ReadableStream(), signal)) return chunk;
      },
    ],
  ];

  test.each(readers)('the signal of the request ends the reading of %s', async (_, read) => {
    for (const isBefore of [true, false]) {
      left.mockClear();
      const stop = new AbortController();
      const reason = new Error('It took too long');
      if (isBefore) stop.abort(reason);
      const reading = read(silent(), stop.signal);
      stop.abort(reason);
      await expect(reading).rejects.toBe(reason);
      expect(left).toHaveBeenCalledTimes(1);
      expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
    }
  });
});

test('chunks that are left before their end cut the connection', async () => {
  const left = jest.fn();
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(Buffer.from('more')),
    cancel: left,
  });
  for await (const chunk of chunksOf(body, new AbortController().signal)) {
    expect(Buffer.from(chunk).toString()).toBe('more');
    break;
  }
  expect(left).toHaveBeenCalledTimes(1);
});
