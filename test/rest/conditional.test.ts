import { randomUUID } from 'node:crypto';
import { database } from '@/src/database/client';
import { countRequest } from '@/src/rate-limit/counter';
import { apiRequestLimit } from '@/src/rate-limit/limits';
import { createKey, createTenant } from '../helpers/accounts';
import { type Answer, send } from '../helpers/client';
import { contractOperations, operationCases, perform } from './contract';
import { askWith, createReader, type Reader, readTemplates } from './reads';

const tagPattern = /^"[\w-]{20,}"$/;

let reader: Reader;

beforeAll(async () => {
  reader = await createReader();
});

const remaining = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining'));

function expectNotModified(answer: Answer, tag: string): void {
  const { status, text, headers } = answer;
  const names = ['etag', 'cache-control', 'content-type', 'content-length'];
  expect([status, text, ...names.map((name) => headers.get(name))]).toEqual([
    304,
    '',
    tag,
    'private, no-cache',
    null,
    null,
  ]);
}

test('every GET of the contract is among those that are tested here', () => {
  const gets = contractOperations.filter(({ method }) => method === 'GET');
  expect([...readTemplates].sort()).toEqual(gets.map(({ template }) => template).sort());
});

describe.each(readTemplates)('GET %s', (template) => {
  test('answers an entity tag, the same to GET and HEAD until something changes', async () => {
    const path = reader.address(template);
    const tag = await reader.tagOf(path);
    expect(tag).toMatch(tagPattern);
    expect(await reader.tagOf(path)).toBe(tag);
    const head = await send('HEAD', path, { key: reader.key });
    expect([head.status, head.headers.get('etag')]).toEqual([200, tag]);
  });

  test('answers 304 and nothing else where If-None-Match has the tag, and counts that', async () => {
    const path = reader.address(template);
    const tag = await reader.tagOf(path);
    let left = remaining(await reader.tenant.api.get(path));
    const forms = [tag, `W/${tag}`, `"other", ${tag}`, `"a",W/"b" ,W/${tag}  , "c"`, ` ${tag} `];
    for (const method of ['GET', 'HEAD']) {
      for (const form of forms) {
        const answer = await reader.ask(path, form, method);
        expectNotModified(answer, tag);
        left -= 1;
        expect(remaining(answer)).toBe(left);
        for (const name of ['x-ratelimit-limit', 'x-ratelimit-reset', 'x-request-id']) {
          expect([name, answer.headers.has(name)]).toEqual([name, true]);
        }
      }
    }
  });

  test('answers whole where If-None-Match has another tag, a part of it, or nothing', async () => {
    const path = reader.address(template);
    const tag = await reader.tagOf(path);
    const whole = (await reader.tenant.api.get(path)).text;
    const inner = tag.slice(1, -1);
    const others = ['"other"', inner, `"${inner}`, `"${inner}x"`, `w/${tag}`, '', '"*"', ','];
    for (const form of others) {
      const { status, text, headers } = await reader.ask(path, form);
      expect([form, status, text, headers.get('etag')]).toEqual([form, 200, whole, tag]);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  test('answers * with 304 for what there is, and else as without it', async () => {
    const path = reader.address(template);
    const tag = await reader.tagOf(path);
    for (const method of ['GET', 'HEAD']) {
      expectNotModified(await reader.ask(path, '*', method), tag);
      if (!template.includes('{id}')) continue;
      const missing = await reader.ask(template.replace('{id}', randomUUID()), '*', method);
      expect([missing.status, missing.headers.get('etag')]).toEqual([404, null]);
    }
  });

  test('answers a tag of another address or another account as one it does not know', async () => {
    const path = reader.address(template);
    const other = await createReader();
    const foreign = (await other.tags()).join(', ');
    const elsewhere = [];
    for (const address of [...reader.addresses, `${path}?limit=3`, `${path}?x`, `${path}/`]) {
      if (address !== path) elsewhere.push(await reader.tagOf(address));
    }
    expect((await reader.ask(path, `${foreign}, ${elsewhere.join(', ')}`)).status).toBe(200);
    const own = await reader.tagOf(path);
    const refused = await askWith(other.key, path, own);
    expect(refused.status).toBe(template.includes('{id}') ? 404 : 200);
  });

  test('checks key, limit and scope before the tag', async () => {
    const own = await createReader();
    const path = own.address(template);
    const tag = await own.tagOf(path);
    const { accountId } = own.tenant;
    const codeOf = async (key: string) => {
      const { status, body, headers } = await askWith(key, path, tag);
      expect(headers.get('etag')).toBeNull();
      return [status, body.error.code];
    };
    expect(await codeOf('')).toEqual([401, 'UNAUTHORIZED']);
    expect(await codeOf('junk')).toEqual([401, 'INVALID_API_KEY']);
    const noRead = await createKey(accountId, ['write', 'delete']);
    expect(await codeOf(noRead)).toEqual([403, 'INSUFFICIENT_SCOPE']);
    const keyData = (data: object) =>
      database().apiKey.updateMany({ where: { userId: accountId }, data });
    await keyData({ enabled: false });
    expect(await codeOf(own.key)).toEqual([403, 'API_KEY_DISABLED']);
    await keyData({ enabled: true, expiresAt: new Date(0) });
    expect(await codeOf(own.key)).toEqual([403, 'API_KEY_EXPIRED']);
    await keyData({ expiresAt: null });
    const plan = (plan: 'free' | 'paid') =>
      database().user.update({ where: { id: accountId }, data: { plan } });
    await plan('free');
    expect(await codeOf(own.key)).toEqual([403, 'API_KEY_DISABLED']);
    await plan('paid');
    expectNotModified(await own.ask(path, tag), tag);
    for (let count = 0; count < apiRequestLimit().requests; count += 1) {
      await countRequest(accountId);
    }
    expect(await codeOf(own.key)).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
  });
});

test('a query that is not valid, and an id that is none, answer 400 whatever tag comes with them', async () => {
  for (const [path, from] of [
    ['/testimonials?limit=0', '/testimonials'],
    ['/spaces?sort_by=id', '/spaces'],
    ['/testimonials/none', `/testimonials/${reader.testimonial.id}`],
  ] as const) {
    for (const tag of [await reader.tagOf(from), '*']) {
      const { status, body, headers } = await reader.ask(path, tag);
      expect([status, body.error.code, headers.get('etag')]).toEqual([
        400,
        'VALIDATION_ERROR',
        null,
      ]);
    }
  }
});

test('the tag of a row that is gone answers 404', async () => {
  const { tenant, ask, tagOf, testimonial } = await createReader();
  const path = `/testimonials/${testimonial.id}`;
  const tag = await tagOf(path);
  await tenant.api.delete(path);
  expect((await ask(path, tag)).status).toBe(404);
});

test.each(operationCases.filter(([, { scope }]) => scope !== 'read'))(
  '%s has no tag and heeds none',
  async (_name, operation) => {
    const tenant = await createTenant();
    const answer = await perform(operation, tenant, tenant.api.key);
    expect([answer.status, answer.headers.get('etag')]).toEqual([operation.success, null]);
    const { path, json } = await operation.prepare(tenant);
    const headers = { 'if-none-match': '*' };
    const sent = { key: tenant.api.key, headers, ...(json !== undefined && { json }) };
    expect((await send(operation.method, path, sent)).status).toBe(operation.success);
  },
);

test('errors have no tag', async () => {
  const { key } = reader;
  const answers = [
    await send('GET', '/nowhere', { key }),
    await send('PUT', '/spaces', { key }),
    await send('GET', `/spaces/${randomUUID()}`, { key }),
    await send('POST', '/spaces', { key, raw: '{' }),
    await send('GET', '/spaces'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 405, 404, 500, 401]);
  for (const { headers } of answers) {
    expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, 'no-store']);
  }
});

test('scripts of other origins may send If-None-Match and read the tag, also of a 304', async () => {
  const headers = { origin: 'https://site.example', 'access-control-request-method': 'GET' };
  const preflight = await send('OPTIONS', '/testimonials', { headers });
  const allowed = preflight.headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
  expect(allowed).toContain('if-none-match');
  const answer = await reader.ask('/testimonials', '*');
  expect(answer.status).toBe(304);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.get('access-control-expose-headers')?.split(', ')).toContain('ETag');
});

describe('the published document', () => {
  test('has a tag, and answers 304 where If-None-Match has it, without a key', async () => {
    const { headers } = await send('GET', '/openapi.json');
    const tag = headers.get('etag') ?? '';
    expect(tag).toMatch(tagPattern);
    for (const method of ['GET', 'HEAD']) {
      for (const form of [tag, `"a", W/${tag}`, '*']) {
        expectNotModified(await askWith('', '/openapi.json', form, method), tag);
      }
    }
    const whole = await askWith('', '/openapi.json', await reader.tagOf('/spaces'));
    expect([whole.status, whole.headers.get('etag')]).toEqual([200, tag]);
  });

  test('describes the tag, the parameter and the 304 of every GET, and of nothing else', async () => {
    const { body } = await send('GET', '/openapi.json');
    const paths: [string, Record<string, Described>][] = Object.entries(body.paths);
    const described = paths.flatMap(([template, methods]) =>
      Object.entries(methods).flatMap(([method, { parameters = [], responses }]) => {
        const isTaken = parameters.some(({ name }) => name === 'If-None-Match');
        const of304 = responses['304'];
        const tagged = Object.entries(responses).filter(([, { headers }]) => headers?.ETag);
        if (!isTaken && !of304 && tagged.length === 0) return [];
        expect([isTaken, of304?.content]).toEqual([true, undefined]);
        expect(tagged.map(([status]) => status)).toEqual(['200', '304']);
        return [`${method} ${template}`];
      }),
    );
    expect(described.sort()).toEqual(readTemplates.map((template) => `get ${template}`).sort());
    expect(body.components.headers.ETag).toBeDefined();
  });
});

type Described = {
  parameters?: { name?: string }[];
  responses: Record<string, { headers?: Record<string, object>; content?: object }>;
};
