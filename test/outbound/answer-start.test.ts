import { readStart } from '@/src/outbound/answer-start';

test.each([
  ['is whole where it has just as many bytes as are kept', 'abcd', { text: 'abcd', isWhole: true }],
  ['is not where it has one more, and is cut there', 'abcde', { text: 'abcd', isWhole: false }],
])('the start of an answer %s', async (_, body, start) => {
  expect(await readStart(new Response(body), { maxBytes: 4 })).toEqual(start);
});
