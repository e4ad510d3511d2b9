import { notePage, pagesBefore, walkStart } from '@/app/(dashboard)/testimonials/paging';

const pageBefore = (next_cursor: string) => ({
  data: [],
  pagination: { total: 900, limit: 50, offset: 0, has_more: true, next_cursor },
});

test('the rows before a page are those of its own view, also once another view has begun', () => {
  notePage(pageBefore('second of all'), walkStart, 50);
  notePage(pageBefore('third of all'), 'second of all', 49);
  notePage(pageBefore('second of the pending'), walkStart, 3);
  expect(pagesBefore('third of all')).toEqual([
    { cursor: 'second of all', rows: 49 },
    { cursor: walkStart, rows: 50 },
  ]);
  expect(pagesBefore('second of the pending')).toEqual([{ cursor: walkStart, rows: 3 }]);
});

test('there is none before the first, and none is known before what was never shown', () => {
  expect(pagesBefore(walkStart)).toEqual([]);
  expect(pagesBefore('of an address')).toEqual([]);
});
