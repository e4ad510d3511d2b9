import { GET } from '@/app/api/trpc/[trpc]/route';
import { createKey, minimalTestimonial } from '../helpers/accounts';
import { client } from '../helpers/client';
import { signUp } from '../helpers/session';

/** Together more than what is read without waiting for room, 512 Ki characters. */
const longRows = 12;

test.each<Record<string, string>>([
  { accept: '*/*' },
  { 'trpc-accept': 'application/jsonl' },
  { accept: 'application/json, application/jsonl' },
])('a large answer has all of its rows, whatever stream is asked for (%j)', async (asked) => {
  const { cookie, accountId } = await signUp();
  const api = client(await createKey(accountId));
  const { id } = (await api.post('/spaces', { name: 'A space' })).body.data;
  const text = 'x'.repeat(50_000);
  for (let count = 0; count < longRows; count += 1) {
    await api.post('/testimonials', { ...minimalTestimonial(id), text_content: text });
  }
  const input = encodeURIComponent(JSON.stringify({ 0: {} }));
  const address = `http://localhost/api/trpc/testimonials.list?batch=1&input=${input}`;
  const headers = { host: 'localhost', cookie, ...asked };
  const answer = await GET(new Request(address, { headers }));
  expect(answer.headers.get('content-type')).toBe('application/json');
  const [{ result }] = JSON.parse(await answer.text());
  const texts = result.data.data.map((row: { text_content: string }) => row.text_content);
  expect(texts).toEqual(Array(longRows).fill(text));
});
