import { readCapped } from '@/src/api/body';

async function* inPieces(text: string, bytes: number) {
  const whole = Buffer.from(text);
  for (let at = 0; at < whole.length; at += bytes) yield whole.subarray(at, at + bytes);
}

test('a body is read whole, however small its pieces, up to the cap', async () => {
  const text = 'é€a'.repeat(1000);
  const body = await readCapped(inPieces(text, 1), 6000);
  expect(body.toString()).toBe(text);
  await expect(readCapped(inPieces(text, 1), 5999)).rejects.toMatchObject({ status: 413 });
});
