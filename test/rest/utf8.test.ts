import { utf8Of } from '@/src/rest/utf8';

test.each([
  ['ASCII', 'plain'],
  ['characters of two bytes', 'naïve'],
  ['characters of three bytes', '†'],
  ['pairs of surrogates', '🌱'],
])('a text is encoded as every other encoder does: %s', (_, piece) => {
  for (const count of [0, 1, 7, 3_000, 300_000]) {
    const text = JSON.stringify({ text: piece.repeat(count) });
    expect(Buffer.compare(utf8Of(text), Buffer.from(text))).toBe(0);
  }
});

test('half of a pair, as JSON.stringify writes it, stays what it is', () => {
  const text = JSON.stringify({ text: 'a\ud83cb' });
  expect(JSON.parse(Buffer.from(utf8Of(text)).toString())).toEqual({ text: 'a\ud83cb' });
});

test('an encoded text is bytes of its own, which the next one does not change', () => {
  const first = utf8Of('"first"');
  utf8Of('"other"');
  expect(Buffer.from(first).toString()).toBe('"first"');
  expect(first.buffer.byteLength).toBe(first.byteLength);
});
