import { POST as authRoute } from '@/app/api/auth/[...all]/route';
import { POST as trpcRoute } from '@/app/api/trpc/[trpc]/route';
import { bodyCap, maxBodyBytes, maxImportBytes, maxUploadBytes } from '@/src/api/body';
import { errorTable } from '@/src/api/errors';
import { uploadRules } from '@/src/storage/file-type';
import { signUp } from '../helpers/session';

const kiB = 1024;
const chunkBytes = 16 * kiB;

/** A body of so many bytes, without a length, and how much of it has been asked for. */
function streamed(bytes: number) {
  const taken = { bytes: 0 };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (taken.bytes >= bytes) return controller.close();
      taken.bytes += chunkBytes;
      controller.enqueue(new Uint8Array(chunkBytes).fill(0x20));
    },
  });
  return { body, taken };
}

function post(path: string, body: BodyInit, headers: Record<string, string> = {}): Request {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', host: 'localhost', ...headers },
    body,
    duplex: 'half',
  } satisfies RequestInit & { duplex: 'half' };
  return new Request(`http://localhost${path}`, init);
}

const tooLarge = (size: string) => ({
  error: { code: 'PAYLOAD_TOO_LARGE', message: `The request body is larger than ${size}.` },
});

test.each([
  ['/api/auth/sign-out', null, 64 * kiB],
  ['/api/trpc/spaces.create', 'application/json', maxBodyBytes],
  ['/api/trpc/uploads.video', 'application/octet-stream', maxUploadBytes],
  ['/api/trpc/uploads.video', 'application/json', maxBodyBytes],
  ['/api/trpc/uploads.video,spaces.create', 'application/octet-stream', maxBodyBytes],
  ['/api/trpc/uploads%2Evideo', 'application/octet-stream', maxBodyBytes],
  ['/api/v1/spaces', null, maxBodyBytes],
  ['/api/v1/imports', null, maxImportBytes],
  ['/api/v1/imports/', null, maxImportBytes],
  ['/api/v1/imports/other', null, maxBodyBytes],
  ['/api/v1/%69mports', null, maxBodyBytes],
  ['/api/v1foo', null, 16 * kiB],
  ['/api/%61uth/sign-out', null, 16 * kiB],
  ['/sign-in', null, 16 * kiB],
  ['/', null, 16 * kiB],
])('a body to %s of type %s may have %i bytes', (path, type, maxBytes) => {
  expect(bodyCap(path, type)).toBe(maxBytes);
});

test('the text of a 413 in the document names both bounds of a body', () => {
  const miB = 1024 * kiB;
  expect(errorTable.PAYLOAD_TOO_LARGE.message).toBe(
    `The request body is larger than ${maxBodyBytes / miB} MiB (an import: ${maxImportBytes / miB} MiB).`,
  );
});

test('no kind of file may be larger than an upload', () => {
  for (const { maxBytes } of Object.values(uploadRules)) {
    expect(maxBytes).toBeLessThanOrEqual(maxUploadBytes);
  }
});

describe('a Next route', () => {
  test('for sign-in answers 413 to a body of more than 64 KiB, and reads no more of it', async () => {
    const { body, taken } = streamed(50 * 1024 * kiB);
    const answer = await authRoute(post('/api/auth/sign-in/email', body));
    expect([answer.status, await answer.json()]).toEqual([413, tooLarge('64 KiB')]);
    expect(taken.bytes).toBeLessThan(64 * kiB + 8 * chunkBytes);
  });

  test('for the dashboard answers 413 to one of more than 1 MiB, and reads no more of it', async () => {
    const { cookie } = await signUp();
    const { body, taken } = streamed(50 * 1024 * kiB);
    const answer = await trpcRoute(post('/api/trpc/spaces.create', body, { cookie }));
    expect([answer.status, await answer.json()]).toEqual([413, tooLarge('1 MiB')]);
    expect(taken.bytes).toBeLessThan(maxBodyBytes + 8 * chunkBytes);
  });

  test('for the dashboard refuses one of more than 100,000 values, nested ones too', async () => {
    const { cookie } = await signUp();
    const deep = `${'['.repeat(100_001)}${']'.repeat(100_001)}`;
    const json = `{"name":"Deep","ignored":${deep}}`;
    const answer = await trpcRoute(post('/api/trpc/spaces.create', json, { cookie }));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  });

  test('takes a body up to the cap', async () => {
    const { cookie } = await signUp();
    const empty = JSON.stringify({ name: 'Capped', ignored: '' });
    const json = empty.replace('""', `"${'x'.repeat(maxBodyBytes - empty.length)}"`);
    const answer = await trpcRoute(post('/api/trpc/spaces.create', json, { cookie }));
    expect(answer.status).toBe(200);
    const more = await trpcRoute(post('/api/trpc/spaces.create', `${json} `, { cookie }));
    expect(more.status).toBe(413);
  });
});
