import { rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from '@/app/files/[...key]/route';
import { createAccount } from '../helpers/accounts';
import { onLinux } from '../helpers/on-linux';
import { openFilesOf } from '../helpers/open-files';
import { closeServers, serve } from '../outbound/servers';
import { openBucket } from './bucket';
import { forgetBucket, publicUrl, samples, temporaryFiles, upload } from './files';

const folder = temporaryFiles();
afterEach(closeServers);
const bytes = samples.mp4;
let url: string;
let accountId: string;

beforeAll(async () => {
  accountId = await createAccount();
  ({ url } = await upload(folder, accountId, 'video'));
});

const get = (headers: Record<string, string> = {}) => GET(new Request(url, { headers }));

async function body(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

test('a file is served whole, as its type and with nothing in it run', async () => {
  const response = await get();
  expect(response.status).toBe(200);
  expect(await body(response)).toEqual(bytes);
  expect(Object.fromEntries(response.headers)).toEqual({
    'accept-ranges': 'bytes',
    'cache-control': 'public, max-age=86400',
    'content-disposition': 'inline',
    'content-length': String(bytes.length),
    'content-security-policy': "default-src 'none'; media-src 'self'; sandbox",
    'content-type': 'video/mp4',
    'cross-origin-resource-policy': 'cross-origin',
    etag: expect.stringMatching(/^"[0-9a-f-]{36}[.]mp4"$/),
    'last-modified': expect.any(String),
    'x-content-type-options': 'nosniff',
  });
});

test('HEAD answers the same without a body', async () => {
  const response = await HEAD(new Request(url, { method: 'HEAD' }));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-length')).toBe(String(bytes.length));
  expect(await body(response)).toHaveLength(0);
});

test('HEAD of a range answers for the whole file (RFC 9110, section 14.2)', async () => {
  const response = await HEAD(
    new Request(url, { method: 'HEAD', headers: { range: 'bytes=0-3' } }),
  );
  expect(response.status).toBe(200);
  expect(response.headers.get('content-length')).toBe(String(bytes.length));
  expect(response.headers.get('content-range')).toBe(null);
});

test.each(Object.entries({ POST, PUT, PATCH, DELETE }))(
  '%s is answered 405',
  async (method, answer) => {
    const response = await answer(new Request(url, { method }));
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect((await get()).status).toBe(200);
  },
);

test('OPTIONS is answered with what a file allows', async () => {
  const response = await OPTIONS(new Request(url, { method: 'OPTIONS' }));
  expect([response.status, response.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
});

describe('ranges', () => {
  test.each([
    ['Bytes=0-3', 0, 4],
    ['bytes=0-3', 0, 4],
    ['bytes=4-', 4, bytes.length],
    ['bytes=-5', bytes.length - 5, bytes.length],
    ['bytes=2-99999', 2, bytes.length],
    ['bytes=-99999', 0, bytes.length],
  ])('%s is answered 206 with these bytes', async (range, start, end) => {
    const response = await get({ range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${bytes.length}`);
    expect(response.headers.get('content-length')).toBe(String(end - start));
    expect(await body(response)).toEqual(bytes.subarray(start, end));
  });

  test.each(['bytes=9999-', 'bytes=-0', `bytes=${bytes.length}-`])(
    '%s is answered 416 with the size',
    async (range) => {
      const response = await get({ range });
      expect(response.status).toBe(416);
      expect(response.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
    },
  );

  test.each(['bytes=3-1', 'bytes=-', 'bytes=0-1,3-4', 'items=0-1', 'bytes=a-b'])(
    '%s is answered with the whole file',
    async (range) => {
      const response = await get({ range });
      expect(response.status).toBe(200);
      expect(await body(response)).toEqual(bytes);
    },
  );

  test('a range of another version is answered with the whole file', async () => {
    const etag = (await get()).headers.get('etag') ?? '';
    expect((await get({ range: 'bytes=0-3', 'if-range': etag })).status).toBe(206);
    expect((await get({ range: 'bytes=0-3', 'if-range': '"other"' })).status).toBe(200);
  });
});

test('a version the client has is answered 304', async () => {
  const etag = (await get()).headers.get('etag') ?? '';
  for (const known of [etag, `"other", ${etag}`, '*']) {
    expect((await get({ 'if-none-match': known })).status).toBe(304);
  }
});

test('a large file arrives whole, and a client that leaves does no harm', async () => {
  const large = await upload(folder, accountId, 'video');
  const content = Buffer.alloc(3_000_000, 'video');
  await writeFile(large.path, content);
  expect((await body(await GET(new Request(large.url)))).equals(content)).toBe(true);
  const left = await GET(new Request(large.url));
  await left.body?.cancel();
});

const uploadsOpen = () => openFilesOf(join(folder, 'files'));

/** Reads under way end by themselves: none is open, so many looks in a row, after a while. */
async function untilNoneIsOpen(): Promise<void> {
  let looksInARow = 0;
  while (looksInARow < 50) {
    await new Promise((done) => setImmediate(done));
    looksInARow = uploadsOpen().length === 0 ? looksInARow + 1 : 0;
  }
}

onLinux('downloads that nobody goes on reading hold no file open', async () => {
  const large = await upload(folder, accountId, 'video');
  await writeFile(large.path, Buffer.alloc(3_000_000, 'video'));
  const downloads = await Promise.all(Array.from({ length: 5 }, () => GET(new Request(large.url))));
  for (const { body } of downloads) await body?.getReader().read();
  await untilNoneIsOpen();
});

onLinux(
  'over a socket that nobody reads, no file is held open, nor after it is closed',
  async () => {
    const large = await upload(folder, accountId, 'video');
    await writeFile(large.path, Buffer.alloc(30_000_000, 'video'));
    const ended: Promise<unknown>[] = [];
    const server = createServer(async (_, response) => {
      const { body } = await GET(new Request(large.url));
      if (!body) throw new Error('Expected a body');
      ended.push(pipeline(body, response).catch(() => {}));
    });
    const port = await serve(server);
    const client = connect(port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await new Promise((done) => client.once('readable', done));
    client.pause();
    await untilNoneIsOpen();
    client.destroy();
    await Promise.all(ended);
    await untilNoneIsOpen();
  },
);

test.each([
  ['removed', rm],
  ['cut short', (path: string) => truncate(path, 1000)],
])('a file that is %s meanwhile breaks the download off', async (_, damage) => {
  const large = await upload(folder, accountId, 'video');
  await writeFile(large.path, Buffer.alloc(3_000_000, 'video'));
  const response = await GET(new Request(large.url));
  await damage(large.path);
  await expect(response.arrayBuffer()).rejects.toThrow();
});

test('while a bucket keeps the files, none is served from the folder', async () => {
  await openBucket();
  expect((await get()).status).toBe(404);
  forgetBucket();
  expect((await get()).status).toBe(200);
});

test('nothing but a key is read', async () => {
  await writeFile(`${folder}/secret-key`, 'secret');
  const key = new URL(url).pathname.slice('/files/'.length);
  const uuid = crypto.randomUUID();
  const paths = [
    '../secret-key',
    '..%2fsecret-key',
    '%2e%2e/secret-key',
    `video/${accountId}/../../../secret-key`,
    `video/${accountId}/..%2f..%2f..%2fsecret-key`,
    key.toUpperCase(),
    `${key}/`,
    `/${key}`,
    `${key}%00`,
    key.replace('video/', 'video%2f'),
    `video/${accountId}`,
    `video/${accountId}/${uuid}.mp4`,
    '',
  ];
  for (const path of paths) {
    const response = await GET(new Request(`${publicUrl}/files/${path}`));
    expect([path, response.status]).toEqual([path, 404]);
  }
});
