import { readCapped } from '@/src/api/body';

async function* inBytes(text: string) {
  for (const byte of Buffer.from(text)) yield Buffer.of(byte);
}

test('a body is read whole, however small its pieces, up to the cap', async () => {
  const text = 'é€a'.repeat(1000);
  const body = await readCapped(inBytes(text), 6000);
  expect(body.toString()).toBe(text);
  await expect(readCapped(inBytes(text), 5999)).rejects.toMatchObject({ status: 413 });
});
