import { GET } from '@/app/llms.txt/route';
import { routes } from '@/src/operations';
import { llmsText } from '@/src/rest/openapi/llms';
import { document } from '../rest/conformance';

test('llms.txt says what the API is, where the document is, and every operation', async () => {
  const answer = GET();
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const text = await answer.text();
  expect(text).toMatch(/^# Testimonials API\n\n> Collect, moderate and publish testimonials\.\n/);
  expect(text).toContain('(/api/v1/openapi.json)');
  for (const { template, operations } of routes) {
    for (const { method, operationId } of operations.values()) {
      expect(text).toMatch(new RegExp(`\\[.+\\]\\(/docs#${operationId}\\): \`${method} `));
      expect(text).toContain(`\`${method} ${template}\``);
    }
  }
  expect(text).not.toMatch(/undefined|\[object/);
});

test('it is short', () => {
  expect(llmsText(document).length).toBeLessThan(6000);
});

test('it names whole addresses where the document does', () => {
  const servers = [{ url: 'https://testimonials.example/api/v1' }];
  const text = llmsText({ ...document, servers });
  expect(text).toContain('(https://testimonials.example/api/v1/openapi.json)');
  expect(text).toContain('(https://testimonials.example/docs#listTestimonials)');
});
