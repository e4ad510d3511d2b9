import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { exampleTestimonial, testimonialPage } from '@/src/testimonials/schema';
import { createTenant, minimalTestimonial } from './helpers/accounts';
import { nodeFront } from './helpers/client';

const read = (name: string) => readFileSync(join(__dirname, '..', name), 'utf8');

const readme = read('README.md');
const [, head = '', body = ''] =
  /^HTTP\/1\.1 200 OK\n((?:.+\n)+)\n(\{[\s\S]+?\n\})\n/m.exec(readme) ?? [];

test('the README can be read in a few minutes', () => {
  expect(readme.split('\n').length - 1).toBeLessThanOrEqual(150);
});

test('the list that the README shows has every field of a testimonial, in its order', () => {
  const sample = JSON.parse(body);
  expect(testimonialPage.parse(sample)).toEqual(sample);
  expect(Object.keys(sample.data[0])).toEqual(Object.keys(exampleTestimonial));
});

test('the headers that the README shows are those of the answer, in their order', async () => {
  const { api } = await createTenant();
  const url = `${await nodeFront()}/api/v1/testimonials?status=approved&limit=10`;
  const headers = { authorization: `Bearer ${api.key}` };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers }, resolve).on('error', reject);
  });
  await text(answer);
  const given = pairsOf(answer.rawHeaders);
  const shown = head
    .trim()
    .split('\n')
    .map((line) => line.split(/: (.*)/).slice(0, 2));
  expect(shown.map(([name]) => name)).toEqual(given.map(([name]) => name));
  const ofThatAnswer = /^(ETag|Date|Content-Length|X-Request-Id|X-RateLimit-.*)$/;
  const lasting = (headers: string[][]) =>
    headers.filter(([name = '']) => !ofThatAnswer.test(name));
  expect(lasting(shown)).toEqual(lasting(given));
  const { 'Content-Length': length } = Object.fromEntries(shown);
  expect(length).toBe(String(Buffer.byteLength(JSON.stringify(JSON.parse(body)))));
});

const pairsOf = (names: string[]) =>
  names.flatMap((name, at) => (at % 2 === 0 ? [[name, names[at + 1] ?? '']] : []));

/** The answers that a document shows as JSON. */
const answersOf = (document: string) =>
  Array.from(document.matchAll(/^```json\n([\s\S]+?)^```/gm), ([, json = '']) => JSON.parse(json));

test('the errors that are shown are those that are answered', async () => {
  const { api } = await createTenant();
  expect(answersOf(readme)).toEqual([(await api.get('/testimonials?limit=500')).body]);
});

test('the import that is shown is answered as it is shown', async () => {
  const { api, space } = await createTenant();
  const item = { ...minimalTestimonial((await space()).id), external_id: 'crm-1042' };
  const { body } = await api.post('/imports', { testimonials: [item] });
  const [{ id }] = body.data;
  const [shown] = answersOf(read('docs/integrating.md'));
  expect(JSON.stringify(body)).toBe(JSON.stringify(shown).replace(shown.data[0].id, id));
});

test('a poll that begins where the page says misses nothing behind an import whose clock is ahead', async () => {
  const [, margin = ''] =
    /Date\.parse\(newest\) - ([\d_]+)\)/.exec(read('docs/integrating.md')) ?? [];
  const { api, space } = await createTenant();
  const testimonial = minimalTestimonial((await space()).id);
  // As far ahead as an import takes it.
  const created_at = new Date(Date.now() + 5 * 60_000 - 1000).toISOString();
  const { body } = await api.post('/imports', { testimonials: [{ ...testimonial, created_at }] });
  expect(body.created).toBe(1);
  const { data: late } = (await api.post('/testimonials', testimonial)).body;
  const from = new Date(Date.parse(created_at) - Number(margin.replaceAll('_', ''))).toISOString();
  const polled = await api.get(`/testimonials?date_from=${from}`);
  expect(polled.body.data).toContainEqual(late);
});
