import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleTestimonial, testimonialPage } from '@/src/testimonials/schema';

test('the list that the README shows has every field of a testimonial, in its order', () => {
  const readme = readFileSync(join(__dirname, '..', 'README.md'), 'utf8');
  const [, body = ''] = /^HTTP\/1\.1 200 OK\n(?:.+\n)+\n(\{[\s\S]+?\n\})\n/m.exec(readme) ?? [];
  const sample = JSON.parse(body);
  expect(testimonialPage.parse(sample)).toEqual(sample);
  expect(Object.keys(sample.data[0])).toEqual(Object.keys(exampleTestimonial));
});
