import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openApiDocument } from '@/src/rest/openapi/document';
import { Testimonials } from '../src/index.ts';

type DocumentOperation = { operationId: string; parameters?: { in: string; name: string }[] };

const text = openApiDocument();
const { paths, info } = JSON.parse(text);

const documented = Object.entries<Record<string, DocumentOperation>>(paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      route: `${method.toUpperCase()} ${path}`,
      query: (operation.parameters ?? [])
        .filter((one) => one.in === 'query')
        .map(({ name }) => name),
    })),
);

const pathFields = documented.flatMap(({ route }) =>
  [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
);
const names = Object.fromEntries(pathFields.map((name) => [name, name]));

const file = (name: string) => readFile(join(__dirname, '..', name), 'utf8');

test('the types are those of the document as it is: `npm run generate` in client/', async () => {
  const digest = createHash('sha256').update(text).digest('hex');
  expect((await file('src/schema.ts')).split('\n')[0]).toContain(digest);
});

test('every operation of the document has a method of its name, and there is no other', async () => {
  const sent: string[] = [];
  const api: object = new Testimonials({
    apiKey: 'sk_live_',
    baseUrl: 'https://example.com/api/v1/',
    fetch: async (url, { method }) => {
      sent.push(`${method} ${new URL(url).pathname.replace('/api/v1', '')}`);
      return Response.json({});
    },
  });
  const called = new Map<string, string | undefined>();
  for (const [id, call] of Object.entries(api)) {
    await call(names);
    called.set(id, sent.pop());
  }
  // Each field of a path was filled in with its own name.
  const expected = documented.map(({ id, route }) => [id, route.replace(/[{}]/g, '')] as const);
  expect(called).toEqual(new Map(expected));
});

test('every list by cursor can be walked through', () => {
  const lists = documented.filter(({ query }) => query.includes('cursor')).map(({ id }) => id);
  expect(Object.getOwnPropertyNames(Testimonials.prototype)).toEqual(
    expect.arrayContaining(lists.map((id) => id.replace('list', 'iterate'))),
  );
});

test('no POST or PATCH takes query parameters: the client sends all that they take as a body', () => {
  expect(
    documented.filter(({ route, query }) => /^(POST|PATCH)/.test(route) && query.length > 0),
  ).toEqual([]);
});

test('the package has the version and the licence of the service', async () => {
  expect(JSON.parse(await file('package.json')).version).toBe(info.version);
  expect(await file('LICENSE')).toBe(await readFile('LICENSE', 'utf8'));
});
