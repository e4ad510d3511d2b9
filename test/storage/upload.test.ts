import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { POST } from '@/app/api/trpc/[trpc]/route';
import { ApiError } from '@/src/api/errors';
import { temporaryFolderPrefix } from '@/src/file-system/temporary-folder';
import { type FileKind, uploadRules } from '@/src/storage/file-type';
import { storeUpload } from '@/src/storage/upload';
import { whatIsFlushed } from '../file-system/flushed';
import { createAccount, createKey } from '../helpers/accounts';
import { onLinux } from '../helpers/on-linux';
import { openFilesOf } from '../helpers/open-files';
import { signUp } from '../helpers/session';
import { publicUrl, samples, temporaryFiles, upload } from './files';

const folder = temporaryFiles();

function stream(...chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new Blob(chunks.map((chunk) => new Uint8Array(chunk))).stream();
}

describe('what may be uploaded', () => {
  test.each<[FileKind, keyof typeof samples, string]>([
    ['avatar', 'png', 'image/png'],
    ['thumbnail', 'jpg', 'image/jpeg'],
    ['logo', 'webp', 'image/webp'],
    ['logo', 'gif', 'image/gif'],
    ['video', 'mp4', 'video/mp4'],
    ['video', 'mov', 'video/quicktime'],
    ['video', 'webm', 'video/webm'],
  ])('%s: %s', async (kind, sample, contentType) => {
    const accountId = await createAccount();
    const stored = await storeUpload(accountId, kind, stream(samples[sample]));
    expect(stored).toEqual({
      url: expect.stringMatching(
        new RegExp(`^${publicUrl}/files/${kind}/${accountId}/[0-9a-f-]{36}[.]${sample}$`),
      ),
      content_type: contentType,
      size_bytes: samples[sample].length,
    });
    const key = stored.url.slice(`${publicUrl}/files/`.length);
    expect(await readFile(`${folder}/files/${key}`)).toEqual(samples[sample]);
  });

  test.each<[string, FileKind, Uint8Array]>([
    ['a video as an avatar', 'avatar', samples.mp4],
    ['an image as a video', 'video', samples.png],
    ['a page', 'logo', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a vector image', 'logo', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a still image in a movie container', 'video', Buffer.from('\0\0\0\x18ftypavif', 'latin1')],
    ['nothing', 'avatar', Buffer.alloc(0)],
  ])('%s is refused with a message and leaves nothing', async (_, kind, bytes) => {
    const accountId = await createAccount();
    await expect(storeUpload(accountId, kind, stream(bytes))).rejects.toMatchObject({
      apiCode: 'VALIDATION_ERROR',
      message: expect.stringContaining(`none of the types that may be uploaded as ${kind}`),
    });
    await expectNothingLeft(accountId, kind);
  });

  test('a file and its place are on the disk before its address is given out', async () => {
    const flushed = await whatIsFlushed(async () => {
      await storeUpload(await createAccount(), 'avatar', stream(samples.png));
    });
    expect(flushed).toEqual([samples.png.length, 'folder']);
  });

  test('a file over its limit is refused while it comes in, and leaves nothing', async () => {
    const accountId = await createAccount();
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(sent === 0 ? samples.png : new Uint8Array(64 * 1024));
        sent += 64 * 1024;
      },
    });
    await expect(storeUpload(accountId, 'avatar', endless)).rejects.toMatchObject({
      apiCode: 'PAYLOAD_TOO_LARGE',
      message: 'The file is larger than 5 MB.',
    });
    expect(sent).toBeLessThan(uploadRules.avatar.maxBytes + 1024 * 1024);
    await expectNothingLeft(accountId, 'avatar');
  });

  test('a file may have just as many bytes as its limit', async () => {
    const accountId = await createAccount();
    const rest = new Uint8Array(uploadRules.avatar.maxBytes - samples.png.length);
    const { size_bytes } = await storeUpload(accountId, 'avatar', stream(samples.png, rest));
    expect(size_bytes).toBe(uploadRules.avatar.maxBytes);
  });

  test('one of a wrong type is refused by its beginning, not once all of it came', async () => {
    let pieces = 0;
    async function* endless() {
      for (; pieces < 1000; pieces += 1) yield new Uint8Array(1024);
    }
    const upload = storeUpload(await createAccount(), 'avatar', endless());
    await expect(upload).rejects.toMatchObject({ apiCode: 'VALIDATION_ERROR' });
    expect(pieces).toBeLessThan(10);
  });

  test('what the front refuses on the way is told as it is', async () => {
    const tooLarge = new ApiError('PAYLOAD_TOO_LARGE');
    async function* cut() {
      yield samples.png;
      throw tooLarge;
    }
    await expect(storeUpload(await createAccount(), 'avatar', cut())).rejects.toBe(tooLarge);
  });

  test('one whose sender leaves in the middle is no failure of ours, and leaves nothing', async () => {
    const accountId = await createAccount();
    const cause = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    async function* brokenOff() {
      yield samples.mp4;
      throw cause;
    }
    await expect(storeUpload(accountId, 'video', brokenOff())).rejects.toMatchObject({
      apiCode: 'VALIDATION_ERROR',
      message: 'The upload broke off.',
      cause,
    });
    await expectNothingLeft(accountId, 'video');
  });

  async function expectNothingLeft(accountId: string, kind: FileKind) {
    const stored = await readdir(`${folder}/files/${kind}/${accountId}`).catch(() => []);
    expect(stored).toEqual([]);
    const temporary = await readdir(tmpdir());
    expect(temporary.filter((name) => name.startsWith(temporaryFolderPrefix))).toEqual([]);
  }
});

onLinux('an upload leaves no file open, whether it is stored or refused', async () => {
  const accountId = await createAccount();
  await storeUpload(accountId, 'avatar', stream(samples.png));
  await expect(storeUpload(accountId, 'avatar', stream(samples.mp4))).rejects.toThrow(ApiError);
  const open = openFilesOf(tmpdir());
  expect(open.filter((path) => path.includes(temporaryFolderPrefix))).toEqual([]);
});

describe('who may upload', () => {
  const post = (headers: Record<string, string>) =>
    POST(
      new Request('http://localhost:3000/api/trpc/uploads.avatar', {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream', ...headers },
        body: new Uint8Array(samples.png),
      }),
    );

  test('a person signed in, over HTTP', async () => {
    const { cookie } = await signUp();
    const response = await post({ cookie });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      result: {
        data: {
          url: expect.stringContaining(`${publicUrl}/files/avatar/`),
          content_type: 'image/png',
          size_bytes: samples.png.length,
        },
      },
    });
  });

  test('nobody signed out, and no API key', async () => {
    const key = await createKey(await createAccount());
    expect((await post({})).status).toBe(401);
    expect((await post({ authorization: `Bearer ${key}` })).status).toBe(401);
  });
});

test('two uploads of the same file get keys of their own', async () => {
  const accountId = await createAccount();
  const first = await upload(folder, accountId, 'avatar');
  const second = await upload(folder, accountId, 'avatar');
  expect(first.url).not.toBe(second.url);
});
