import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createByteReader } from '@/src/copying/byte-reader';

/** What a reader finds that gets these chunks. */
const readerOf = (...chunks: string[]) =>
  createByteReader(Readable.from(chunks.map((chunk) => Buffer.from(chunk))));

test('lines and counted bytes are read wherever the chunks end', async () => {
  const text = '{"a":"é"}\nrows\n[1]\n';
  for (let size = 1; size <= text.length; size += 1) {
    const reader = readerOf(...(text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []));
    expect(await reader.line(100)).toEqual({ a: 'é' });
    expect((await reader.bytes(5)).toString()).toBe('rows\n');
    expect(await reader.line(100)).toEqual([1]);
    await reader.end();
    expect(reader.digest()).toBe(createHash('sha256').update(text).digest('hex'));
  }
});

test('the digest is of what was handed out, and not of what has come', async () => {
  const reader = readerOf('1\n2\n');
  await reader.line(100);
  expect(reader.digest()).toBe(createHash('sha256').update('1\n').digest('hex'));
});

test('a line without an end is given up, and not gathered for as long as the file goes on', async () => {
  let taken = 0;
  async function* endless() {
    for (; taken < 1000; taken += 1) yield Buffer.alloc(10, 'x');
  }
  await expect(createByteReader(endless()).line(100)).rejects.toThrow('a line is too long');
  expect(taken).toBeLessThan(20);
});

test.each<[string, (reader: ReturnType<typeof readerOf>) => Promise<unknown>, string]>([
  ['a line', (reader) => reader.line(100), 'its end is missing'],
  ['so many bytes', (reader) => reader.bytes(4), 'its end is missing'],
  ['the end', (reader) => reader.end(), 'something follows its end'],
])('where %s is awaited and is not there, that is told', async (_, read, problem) => {
  await expect(read(readerOf('abc'))).rejects.toThrow(problem);
});

test('the end is there only where nothing was left of the last chunk either', async () => {
  const reader = readerOf('1\n2');
  await reader.line(100);
  await expect(reader.end()).rejects.toThrow('something follows its end');
});
