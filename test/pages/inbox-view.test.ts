import {
  curlOf,
  deletionRequest,
  statusRequest,
} from '@/app/(dashboard)/testimonials/api-requests';
import {
  countInputs,
  filtersOf,
  inboxForm,
  listInput,
  type noFilters,
} from '@/app/(dashboard)/testimonials/view';
import { hasKeptTotal } from '@/src/testimonials/filters';
import { listTestimonialsInput } from '@/src/testimonials/schema';
import { mediaUrl } from '@/src/ui/browser/media';

const id = '7f0c1a52-3c1e-4a86-9d0f-0a3d1c5b7e21';

test('an address without a query is what waits, newest first', () => {
  expect(inboxForm.parse({})).toMatchObject({ status: 'pending', sort: 'newest' });
  expect(inboxForm.format(inboxForm.parse({}))).toBe('');
});

test('a view in the address is the same view when it is read again', () => {
  const query = {
    status: 'all',
    space: id,
    type: 'video',
    rating: '4',
    from: '2026-01-31',
    to: '2026-02-28',
    search: 'a & b % ☃',
    sort: 'best',
  };
  const address = inboxForm.format(inboxForm.parse(query));
  expect(Object.fromEntries(new URLSearchParams(address))).toEqual(query);
  expect(listInput(inboxForm.parse(query))).toMatchObject({
    status: undefined,
    space_id: id,
    type: 'video',
    rating: 4,
    search: query.search,
  });
});

test.each([
  ['newest', 'created_at', 'desc'],
  ['oldest', 'created_at', 'asc'],
  ['changed', 'updated_at', 'desc'],
  ['best', 'rating', 'desc'],
  ['worst', 'rating', 'asc'],
  ['shared', 'shares', 'desc'],
])('%s first is sorted by %s, %s', (sort, sort_by, sort_order) => {
  expect(listInput(inboxForm.parse({ sort }))).toMatchObject({ sort_by, sort_order });
});

test.each([
  ['status', 'gone'],
  ['space', 'x'],
  ['type', 'audio'],
  ['rating', '6'],
  ['rating', '4.5'],
  ['from', '2026-02-30'],
  ['to', 'today'],
  ['sort', 'toString'],
  ['search', ''],
])('an address that says %s=%s wrong shows what it would without', (name, value) => {
  expect(inboxForm.parse({ [name]: value })).toEqual(inboxForm.parse({}));
});

test('whatever an address says, the service takes it', () => {
  const view = inboxForm.parse({ from: '2026-01-31', to: '2024-02-29', search: 'x'.repeat(5000) });
  expect(listTestimonialsInput.safeParse(listInput(view)).success).toBe(true);
});

test('a day of the calendar is whole, from its first moment to its last', () => {
  const view = inboxForm.parse({ from: '2026-01-31', to: '2026-01-31' });
  expect(listInput(view)).toMatchObject({
    date_from: '2026-01-31T00:00:00Z',
    date_to: '2026-01-31T23:59:59.999999Z',
  });
});

test('counts are asked for only where the service keeps them', () => {
  expect(countInputs(inboxForm.parse({ space: id, rating: '5' }))).toHaveLength(3);
  const filters: Record<keyof typeof noFilters, string> = {
    space: id,
    type: 'video',
    rating: '5',
    from: '2026-01-01',
    to: '2026-01-31',
    search: 'x',
  };
  for (const [name, value] of Object.entries(filters)) {
    const view = inboxForm.parse({ [name]: value });
    const { search, ...others } = listTestimonialsInput.parse(filtersOf(view));
    const isKept = search === undefined && hasKeptTotal(others);
    expect([name, countInputs(view).length]).toEqual([name, isKept ? 3 : 0]);
  }
});

test('pictures and videos are those of the service or come by https', () => {
  const own = 'http://testimonials.example:3000';
  expect(mediaUrl(`${own}/files/a/b.png`, own)).toBe(`${own}/files/a/b.png`);
  expect(mediaUrl('http://localhost:3000/files/a.png', own)).toBe(`${own}/files/a.png`);
  expect(mediaUrl('https://cdn.example/a.png', own)).toBe('https://cdn.example/a.png');
  for (const url of [
    'http://cdn.example/files/a.png',
    `${own}/api/auth/sign-out`,
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'blob:https://cdn.example/1',
    'nothing',
  ]) {
    expect([url, mediaUrl(url, own)]).toEqual([url, undefined]);
  }
});

test('an action as a request is that of the API, safe to paste into a shell', () => {
  const origin = 'https://t.example';
  const one = curlOf(statusRequest([id], 'approved'), origin);
  expect(one).toContain(`curl -X PATCH https://t.example/api/v1/testimonials/${id} `);
  expect(one).toContain(`-d '{"status":"approved"}'`);
  const both = { testimonial_ids: [id, 'other'] };
  expect(statusRequest([id, 'other'], 'rejected')).toEqual({
    method: 'POST',
    path: '/testimonials/batch/update',
    body: { ...both, status: 'rejected' },
  });
  expect(deletionRequest([id])).toEqual({ method: 'DELETE', path: `/testimonials/${id}` });
  expect(deletionRequest([id, 'other'])).toEqual({
    method: 'POST',
    path: '/testimonials/batch/delete',
    body: both,
  });
  const edit = { method: 'PATCH' as const, path: '/x', body: { text_content: "It's $HOME `id`" } };
  expect(curlOf(edit, origin)).toContain(`-d '{"text_content":"It'\\''s $HOME \`id\`"}'`);
});
