import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { withSignal } from '@/src/background/with-signal';
import { database } from '@/src/database/client';
import { withTemporaryFolder } from '@/src/file-system/temporary-folder';
import { s3Limits } from '@/src/storage/s3';
import { configuredBucket } from '@/src/storage/storage';
import { storeUpload } from '@/src/storage/upload';
import { createTenant } from '../helpers/accounts';
import { collectGarbage } from '../helpers/garbage';
import { closeServers, sendWithoutEnd } from '../outbound/servers';
import { openBucket, refuse } from './bucket';
import { queuedUrls, samples, temporaryFiles } from './files';

temporaryFiles();
afterEach(closeServers);

const notedBytes = 4096;

/** One of the bucket's operations, in a folder with a file `file`. */
type Operation = (folder: string) => Promise<unknown>;

const operations: [string, Operation][] = [
  ['PUT', (folder) => configuredBucket().put('a-key', join(folder, 'file'), 'image/png')],
  ['GET', (folder) => configuredBucket().get('a-key', join(folder, 'got'), notedBytes)],
  ['DELETE', () => configuredBucket().remove('a-key', AbortSignal.timeout(300_000))],
];

const changing = operations.filter(([method]) => method !== 'GET');
const transfers = operations.filter(([method]) => method !== 'DELETE');

function inFolder<T>(task: (folder: string) => Promise<T>): Promise<T> {
  return withTemporaryFolder(async (folder) => {
    writeFileSync(join(folder, 'file'), samples.png);
    return task(folder);
  });
}

const gone = (response: ServerResponse) =>
  new Promise<void>((resolve) => response.once('close', resolve));

test.each(operations)(
  'of a refusal without end the beginning is read: %s',
  async (_, operation) => {
    const bucket = await openBucket();
    const left: Promise<void>[] = [];
    bucket.instead = (response) => {
      left.push(gone(response));
      response.writeHead(403);
      sendWithoutEnd(response);
    };
    await expect(inFolder(operation)).rejects.toThrow(/^The storage answered 403: x{300}$/);
    expect(left).toHaveLength(1);
    await Promise.all(left);
  },
);

test.each(operations)('a refusal that stops in its middle is one: %s', async (_, operation) => {
  jest.replaceProperty(s3Limits, 'refusal', { ...s3Limits.refusal, maxMs: 50 });
  const bucket = await openBucket();
  const left: Promise<void>[] = [];
  bucket.instead = (response) => {
    left.push(gone(response));
    response.writeHead(403).write('<Code>AccessDenied</Code>');
  };
  await expect(inFolder(operation)).rejects.toThrow(/^The storage answered 403: /);
  await Promise.all(left);
});

test.each(changing)(
  'that it is done counts from the head of the answer: %s',
  async (_, operation) => {
    const bucket = await openBucket();
    const left: Promise<void>[] = [];
    bucket.instead = (response) => {
      left.push(gone(response));
      response.writeHead(200).write('and so');
    };
    await inFolder(operation);
    await Promise.all(left);
  },
);

const passing: [string, (response: ServerResponse) => void][] = [
  ['503', (response) => refuse(response, 503, 'SlowDown')],
  ['500', (response) => refuse(response, 500, 'InternalError')],
  ['429', (response) => refuse(response, 429, 'TooManyRequests')],
  ['a connection that ends', (response) => void response.destroy()],
];

describe.each(passing)('what passes is tried again: %s', (_, fail) => {
  test('an upload is stored, as it was sent', async () => {
    const bucket = await openBucket();
    bucket.instead = (response) => {
      if (bucket.requests.length === 2) bucket.instead = undefined;
      fail(response);
    };
    const { accountId } = await createTenant();
    await storeUpload(accountId, 'avatar', new Blob([samples.png]).stream());
    expect(bucket.requests).toHaveLength(3);
    expect([...bucket.objects.values()]).toEqual([
      { bytes: samples.png, contentType: 'image/png' },
    ]);
    expect(await queuedUrls(accountId)).toEqual([]);
  });

  test('but not without end, and what may be there of an upload goes', async () => {
    const bucket = await openBucket();
    bucket.instead = fail;
    const { accountId } = await createTenant();
    const upload = storeUpload(accountId, 'avatar', new Blob([samples.png]).stream());
    await expect(upload).rejects.toThrow();
    expect(bucket.requests).toHaveLength(4);
    expect(await queuedUrls(accountId)).toHaveLength(1);
  });
});

test('a file that breaks off as it is fetched is fetched again', async () => {
  const bucket = await openBucket();
  bucket.objects.set('a-key', { bytes: samples.png, contentType: undefined });
  bucket.instead = (response) => {
    // Asked for again, it is signed again and there.
    bucket.instead = undefined;
    response.writeHead(200, { 'content-length': 1000 });
    response.write('the beginning', () => response.destroy());
  };
  await inFolder(async (folder) => {
    const path = join(folder, 'got');
    expect(await configuredBucket().get('a-key', path, notedBytes)).toBe(true);
    expect(readFileSync(path)).toEqual(samples.png);
  });
});

test.each<[string, Operation]>([
  ...transfers,
  [
    'DELETE',
    () =>
      withSignal({ stop: undefined, timeoutMs: 300 }, (signal) =>
        configuredBucket().remove('a-key', signal),
      ),
  ],
])('silence is left in time, though garbage is collected meanwhile: %s', async (_, operation) => {
  jest.replaceProperty(s3Limits, 'transferTimeoutMs', 300);
  const bucket = await openBucket();
  bucket.instead = collectGarbage;
  await expect(inFolder(operation)).rejects.toMatchObject({ name: 'TimeoutError' });
});

// As Node's `fetch` may with one that it cannot unpack.
test('a file that nothing more is said of, nor of an abort, is left in time', async () => {
  jest.replaceProperty(s3Limits, 'transferTimeoutMs', 50);
  await openBucket();
  jest.spyOn(global, 'fetch').mockResolvedValue(new Response(new ReadableStream()));
  await inFolder(async (folder) => {
    const getting = configuredBucket().get('a-key', join(folder, 'got'), notedBytes);
    await expect(getting).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(readdirSync(folder)).toEqual(['file']);
  });
});

test.each(transfers)('the tries of one transfer share its time: %s', async (_, operation) => {
  const timeoutMs = 3_599_999;
  jest.replaceProperty(s3Limits, 'transferTimeoutMs', timeoutMs);
  const bucket = await openBucket();
  jest.replaceProperty(s3Limits, 'retryPausesMs', [600_000]);
  // Its time is over as it begins to wait for the next try, however long the first has taken.
  const timers = jest.spyOn(global, 'setTimeout');
  jest.spyOn(Math, 'random').mockImplementation(() => {
    timers.mock.calls.find(([, ms]) => ms === timeoutMs)?.[0]();
    return 0;
  });
  bucket.instead = (response) => refuse(response, 503, 'SlowDown');
  await expect(inFolder(operation)).rejects.toThrow('The storage answered 503');
  expect(bucket.requests).toHaveLength(1);
});

test.each(
  operations.flatMap(([method, operation]) =>
    [403, 404, 412, 416, 501].map((status) => ({ method, status, operation })),
  ),
)('what does not pass is not: $method, $status', async ({ status, operation }) => {
  const bucket = await openBucket();
  bucket.instead = (response) => refuse(response, status, 'NotSo');
  await expect(inFolder(operation)).rejects.toThrow(`The storage answered ${status}`);
  expect(bucket.requests).toHaveLength(1);
});

test.each([
  ['stored', 'PUT', 404],
  ['stored', 'PUT', 400],
  ['removed', 'DELETE', 403],
  ['removed', 'DELETE', 302],
])(
  'nothing counts as %s by a code that a refusal happens to have: %s, %d',
  async (_, method, status) => {
    const operation = new Map(operations).get(method);
    const bucket = await openBucket();
    bucket.instead = (response) => refuse(response, status, 'NoSuchKey');
    await expect(inFolder(async (folder) => operation?.(folder))).rejects.toThrow(
      `The storage answered ${status}`,
    );
  },
);

describe('what is fetched is the file that was uploaded, or an error, and the file before it stays', () => {
  const whole = Buffer.alloc(5000, 'x');

  test.each<[string, (response: ServerResponse) => void]>([
    [
      'another range',
      (response) => {
        response.writeHead(206, { 'content-range': 'bytes 0-4999/10000' }).end(whole);
      },
    ],
    ['a smaller one', (response) => void response.end(whole.subarray(0, 4000))],
    ['none', (response) => void response.end()],
    ['a larger one', (response) => void response.end(Buffer.concat([whole, whole]))],
    ['one without end', sendWithoutEnd],
  ])('%s', async (_, answer) => {
    const bucket = await openBucket();
    bucket.instead = answer;
    await inFolder(async (folder) => {
      const path = join(folder, 'file');
      await expect(configuredBucket().get('a-key', path, 8192)).rejects.toThrow(/^The storage /);
      expect(readdirSync(folder)).toEqual(['file']);
      expect(readFileSync(path)).toEqual(samples.png);
    });
    expect(bucket.requests).toHaveLength(1);
  });

  test.each([
    ['noted in blocks of a disk', 8192],
    ['noted to the byte', 5000],
  ])('but one of the size %s', async (_, noted) => {
    const bucket = await openBucket();
    bucket.objects.set('a-key', { bytes: whole, contentType: undefined });
    await inFolder(async (folder) => {
      const path = join(folder, 'file');
      expect(await configuredBucket().get('a-key', path, noted)).toBe(true);
      expect(readFileSync(path)).toEqual(whole);
    });
  });
});

test('an upload that fails leaves no file that counts for the account', async () => {
  const bucket = await openBucket();
  bucket.instead = (response) => refuse(response, 404, 'NoSuchKey');
  const { accountId } = await createTenant();
  const upload = storeUpload(accountId, 'avatar', new Blob([samples.png]).stream());
  await expect(upload).rejects.toThrow('The storage answered 404');
  const [stored, queued] = [
    await database().storedFile.findMany({ where: { userId: accountId } }),
    await queuedUrls(accountId),
  ];
  expect(stored.map(({ url }) => url)).toEqual(queued);
});
