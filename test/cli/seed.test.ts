import { randomUUID } from 'node:crypto';
import { accountIdOf } from '@/src/accounts/accounts';
import { createApiKey } from '@/src/api-keys/api-keys';
import { commandLine } from '@/src/audit/actor';
import { seedScript } from '@/src/cli/seed';
import { seedTestimonials } from '@/src/cli/seed-content';
import { createTestimonialInput } from '@/src/testimonials/schema';
import { client } from '../helpers/client';
import { run } from './run';

function newEmail(): string {
  return `${randomUUID()}@example.com`;
}

test('an account is created and filled with what the API then lists', async () => {
  const email = newEmail();
  const args = ['--email', email, '--spaces', '9', '--testimonials', '120'];
  const { code, printed, said } = await run(seedScript, args);
  const accountId = (await accountIdOf(email)) ?? '';
  expect({ code, printed }).toEqual({ code: 0, printed: [accountId] });
  expect(said).toEqual([
    expect.stringContaining(`Created the account ${email} with the password`),
    'spaces 9/9',
    'testimonials 120/120',
  ]);

  const { key } = await createApiKey(accountId, { name: 'Test', scopes: ['read'] }, commandLine);
  const spaces = await client(key).get('/spaces');
  expect(spaces.body.pagination.total).toBe(9);
  // As its usage says: who follows the account hears of nothing else.
  const events = await client(key).get('/events?limit=100');
  const types = events.body.data.map(({ type }: { type: string }) => type);
  expect(types).toEqual(spaces.body.data.map(() => 'space.created'));
  const { body } = await client(key).get('/testimonials?sort_order=asc&limit=100');
  expect(body.pagination.total).toBe(120);
  const oldest = Date.parse(body.data[0].created_at);
  const days = (Date.now() - oldest) / 86_400_000;
  expect(days).toBeGreaterThan(300);
  expect(days).toBeLessThan(366);
});

test('a second run adds to the account, under slugs of their own', async () => {
  const email = newEmail();
  const args = ['--email', email, '--password', 'correct horse', '--spaces', '1'];
  const first = await run(seedScript, [...args, '--testimonials', '0']);
  expect(first.said).toEqual([`Created the account ${email}`, 'spaces 1/1']);
  const second = await run(seedScript, [...args, '--testimonials', '3']);
  expect(second).toEqual({
    code: 0,
    printed: first.printed,
    said: ['spaces 1/1', 'testimonials 3/3'],
  });
});

test('the content is the same every time, varied, and what the API would accept', () => {
  const testimonials = seedTestimonials(0, 1000, 6);
  expect(seedTestimonials(500, 510, 6)).toEqual(testimonials.slice(500, 510));
  const distinct = (values: unknown[]) => new Set(values).size;
  expect(distinct(testimonials.map((t) => t.submitter_name))).toBeGreaterThan(400);
  expect(distinct(testimonials.map((t) => t.text_content))).toBeGreaterThan(600);
  expect(distinct(testimonials.map((t) => t.rating))).toBe(6);
  expect(distinct(testimonials.map((t) => t.status))).toBe(3);
  expect(distinct(testimonials.map((t) => t.spaceIndex))).toBe(6);
  expect(testimonials.filter((t) => t.video_url).length).toBeGreaterThan(100);
  for (const { spaceIndex: _, ...testimonial } of testimonials) {
    const present = Object.entries(testimonial).filter(([, value]) => value !== null);
    const body = { ...Object.fromEntries(present), space_id: randomUUID() };
    expect(createTestimonialInput.safeParse(body).error).toBeUndefined();
  }
});

test.each([
  [['--email', 'a@example.com', '--spaces', '0'], '--spaces must be a number from 1 to 1000'],
  [['--email', 'a@example.com', '--testimonials', '1e3'], '--testimonials must be a number'],
  [['--email', 'a@example.com', '--password', 'short'], '--password must have'],
  [[], '--email is missing'],
])('%j is one line and exit code 2', async (args, expected) => {
  const { code, said } = await run(seedScript, args);
  expect(code).toBe(2);
  expect(said).toEqual([expect.stringContaining(expected)]);
});
