import { execFileSync } from 'node:child_process';
import { callAsCurl, makeCall } from '@/app/docs/call';
import { readSections } from '@/app/docs/operations';
import { document } from '../rest/conformance';

const operation = {
  method: 'PATCH',
  path: '/things/{id}',
  parameters: [
    { name: 'id', in: 'path' },
    { name: 'search', in: 'query' },
    { name: 'If-None-Match', in: 'header' },
  ],
};

describe('the page of the API reference', () => {
  const sections = readSections(document);
  const operations = sections.flatMap((section) => section.operations);

  test('shows every operation and every webhook of the document once', () => {
    const expected = [document.paths, document.webhooks].flatMap((items) =>
      Object.values(items ?? {}).flatMap((item) => Object.values(item)),
    );
    expect(expected.length).toBeGreaterThan(12);
    expect(operations.map(({ id }) => id).sort()).toEqual(
      expected.map(({ operationId }) => operationId).sort(),
    );
  });

  test('shows the fields of every body, with the types and the limits they have', () => {
    for (const { id, body, method } of operations) {
      if (method === 'GET' || method === 'DELETE') continue;
      expect([id, body?.fields.length]).not.toEqual([id, 0]);
      expect([id, body?.example]).not.toEqual([id, '']);
    }
    const create = operations.find(({ id }) => id === 'createTestimonial');
    expect(create?.body?.fields.find(({ name }) => name === 'rating')).toMatchObject({
      type: 'integer (int32)',
      isRequired: false,
      limits: ['1 to 5'],
    });
    const list = operations.find(({ id }) => id === 'listTestimonials');
    const data = list?.answers[0]?.body?.fields.find(({ name }) => name === 'data');
    expect(data?.type).toBe('array of object');
    expect(data?.fields.map(({ name }) => name)).toContain('submitter_name');
    expect(list?.parameters.find(({ name }) => name === 'status')?.options).toEqual([
      'pending',
      'approved',
      'rejected',
    ]);
  });

  test('shows a value that may be null in one line', () => {
    const list = operations.find(({ id }) => id === 'listWebhookEndpoints');
    const [data] = list?.answers[0]?.body?.fields ?? [];
    expect(data?.fields.find(({ name }) => name === 'disabled_reason')).toMatchObject({
      type: 'gone | failing or null',
      fields: [],
    });
  });

  test('shows the codes of failures', () => {
    const get = operations.find(({ id }) => id === 'getTestimonial');
    const missing = get?.answers.find(({ status }) => status === '404');
    expect(missing?.description).toContain('TESTIMONIAL_NOT_FOUND');
  });
});

describe('a request of the API reference', () => {
  test('has each value in its place, and leaves out what was not given', () => {
    const values = { id: 'a/b', search: 'calm & quiet', 'If-None-Match': '"1"' };
    expect(makeCall('/base', operation, values, { key: 'k', body: '{}' })).toEqual({
      method: 'PATCH',
      url: '/base/things/a%2Fb?search=calm+%26+quiet',
      headers: [
        ['Authorization', 'Bearer k'],
        ['Content-Type', 'application/json'],
        ['If-None-Match', '"1"'],
      ],
      body: '{}',
    });
    expect(makeCall('/base', operation, { search: '' }, { key: 'k' })).toEqual({
      method: 'PATCH',
      url: '/base/things/{id}',
      headers: [['Authorization', 'Bearer k']],
    });
  });

  test('has half a sign in its path as in its query, and not none at all', () => {
    const values = { id: 'a\uD83D', search: 'a\uD83D' };
    const { url } = makeCall('', operation, values, { key: 'k' });
    expect(url).toBe('/things/a%EF%BF%BD?search=a%EF%BF%BD');
    const whole = makeCall('', operation, { id: '😀' }, { key: 'k' });
    expect(whole.url).toBe('/things/%F0%9F%98%80');
  });

  test('arrives in a shell byte for byte, with the key of the shell, and runs nothing', () => {
    const body = `{"text":"It's \`id\` $(id) \\\\ \\"ok\\" $HOME !x"}`;
    const values = { id: "o'clock", search: '$(id)' };
    const command = callAsCurl(makeCall('http://x', operation, values, { key: '', body }));
    const script = command.replace(/^curl/, "printf '%s\\0'");
    const words = execFileSync('/bin/sh', ['-c', script], {
      env: { ...process.env, KEY: 'sk_live_1' },
    })
      .toString()
      .split('\0');
    expect(words.slice(0, -1)).toEqual([
      '-X',
      'PATCH',
      "http://x/things/o'clock?search=%24%28id%29",
      '-H',
      'Authorization: Bearer sk_live_1',
      '-H',
      'Content-Type: application/json',
      '--data-raw',
      body,
    ]);
  });
});
