import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sections } from '@/app/(dashboard)/sections';
import { pagesOfApp } from './page-addresses';

const pages = pagesOfApp().filter(({ isOfDashboard }) => isOfDashboard);

test('every page of the dashboard has a skeleton while it loads', () => {
  expect(pages.length).toBeGreaterThan(0);
  expect(pages.filter(({ hasSkeleton }) => !hasSkeleton).map(({ path }) => path)).toEqual([]);
});

test('every page of the dashboard is linked in its navigation, or is below one that is', () => {
  const roots = new Set(pages.map(({ path }) => `/${path.split('/')[1]}`));
  const linked = [...sections.map(({ href }) => href), '/account'];
  expect([...roots].sort()).toEqual(linked.sort());
});

test('no page hands over what it has read without saying in which mode it was read', () => {
  const folder = join(__dirname, '..', '..', 'app', '(dashboard)');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.tsx'));
  expect(sources.length).toBeGreaterThan(50);
  const careless = sources.filter((file) =>
    readFileSync(join(folder, file), 'utf8').includes('HydrationBoundary'),
  );
  expect(careless).toEqual([]);
});
