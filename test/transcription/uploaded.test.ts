import { provideEnv } from '@/src/env';
import { storeUpload } from '@/src/storage/upload';
import { transcriptionLimits } from '@/src/transcription/limits';
import { createTenant, type Tenant } from '../helpers/accounts';
import { closeServers } from '../outbound/servers';
import { openBucket, refuse } from '../storage/bucket';
import { forgetBucket, publicUrl, samples, temporaryFiles } from '../storage/files';
import { makeMedia } from './media';
import { createVideo, stateOf, transcribed, withoutTranscript } from './queued';
import { file, serveMedia, serveSpeechToText } from './servers';

temporaryFiles();
let mp4: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  mp4 = new Uint8Array(
    await makeMedia({ format: 'mp4', audio: 'aac', seconds: 3, videoFrameBytes: 1000 }),
  );
});

afterEach(async () => {
  await closeServers();
  forgetBucket();
  provideEnv({ PUBLIC_URL: publicUrl });
});

/** Uploaded by the tenant; its address is one that no request gets to. */
async function upload(tenant: Tenant): Promise<string> {
  const { url } = await storeUpload(tenant.accountId, 'video', new Blob([mp4]).stream());
  return url;
}

/** One whose links may lead to no private network, as is usual. */
async function serveSpeech() {
  await serveSpeechToText();
  provideEnv({ ALLOW_PRIVATE_NETWORK: '' });
}

describe('a video that was uploaded', () => {
  test('is transcribed out of the data folder, where its address leads to a private network', async () => {
    provideEnv({ PUBLIC_URL: 'http://localhost:3000' });
    const tenant = await createTenant();
    await serveSpeech();
    const id = await createVideo(tenant, await upload(tenant));
    expect(await stateOf(tenant, id)).toEqual(transcribed('Hello 0.'));
  });

  test('is transcribed out of the data folder by the address of before, where that was another', async () => {
    const tenant = await createTenant();
    const url = await upload(tenant);
    provideEnv({ PUBLIC_URL: 'https://moved.example' });
    await serveSpeech();
    expect(await stateOf(tenant, await createVideo(tenant, url))).toEqual(transcribed('Hello 0.'));
  });

  test('is transcribed out of the bucket, by the key of the service', async () => {
    const bucket = await openBucket();
    const tenant = await createTenant();
    await serveSpeech();
    const url = await upload(tenant);
    const id = await createVideo(tenant, url);
    expect(await stateOf(tenant, id)).toEqual(transcribed('Hello 0.'));
    const path = `/files/${url.slice(`${publicUrl}/bucket/`.length)}`;
    expect(bucket.requests).toEqual([`PUT ${path}`, `GET ${path}`]);
  });

  describe('is transcribed from its address', () => {
    async function uploadToBucket(tenant: Tenant) {
      const media = await serveMedia(file(mp4));
      const bucket = await openBucket();
      provideEnv({ STORAGE_PUBLIC_URL: media.url });
      await serveSpeechToText();
      return { media, bucket, url: await upload(tenant) };
    }

    test('where the key of the service may write to the bucket alone', async () => {
      const tenant = await createTenant();
      const { media, bucket, url } = await uploadToBucket(tenant);
      bucket.instead = (response) => refuse(response, 403, 'AccessDenied');
      expect(await stateOf(tenant, await createVideo(tenant, url))).toEqual(
        transcribed('Hello 0.'),
      );
      expect(media.requests).toBe(1);
    });

    test('where the storage has it no more', async () => {
      const tenant = await createTenant();
      const { media, bucket, url } = await uploadToBucket(tenant);
      bucket.objects.clear();
      expect(await stateOf(tenant, await createVideo(tenant, url))).toEqual(
        transcribed('Hello 0.'),
      );
      expect(media.requests).toBe(1);
    });

    test('where that only ends as the one of an uploaded file does', async () => {
      const tenant = await createTenant();
      const { media, bucket, url } = await uploadToBucket(tenant);
      const elsewhere = url.replace(media.url, `${media.url}/elsewhere`);
      expect(await stateOf(tenant, await createVideo(tenant, elsewhere))).toEqual(
        transcribed('Hello 0.'),
      );
      expect(media.requests).toBe(1);
      expect(bucket.requests.filter((request) => request.startsWith('GET'))).toEqual([]);
    });

    test('where another account has uploaded it', async () => {
      const [owner, tenant] = [await createTenant(), await createTenant()];
      const { media, bucket, url } = await uploadToBucket(owner);
      expect(await stateOf(tenant, await createVideo(tenant, url))).toEqual(
        transcribed('Hello 0.'),
      );
      expect(media.requests).toBe(1);
      expect(bucket.requests.filter((request) => request.startsWith('GET'))).toEqual([]);
    });
  });

  test.each<[string, (bucket: Awaited<ReturnType<typeof openBucket>>) => void]>([
    [
      'fails',
      (bucket) => {
        bucket.instead = (response) => refuse(response, 503, 'SlowDown');
      },
    ],
    [
      'does not answer in time',
      (bucket) => {
        jest.replaceProperty(transcriptionLimits, 'downloadTimeoutMs', 200);
        bucket.instead = () => {};
      },
    ],
  ])('waits for a later try where the bucket %s', async (_, fail) => {
    const bucket = await openBucket();
    const tenant = await createTenant();
    await serveSpeech();
    const url = await upload(tenant);
    fail(bucket);
    const id = await createVideo(tenant, url);
    expect(await stateOf(tenant, id)).toEqual(withoutTranscript('pending'));
  });

  test('has failed at once where it is no media file', async () => {
    const tenant = await createTenant();
    await serveSpeech();
    const picture = new Blob([samples.png]).stream();
    const { url } = await storeUpload(tenant.accountId, 'thumbnail', picture);
    const id = await createVideo(tenant, url);
    expect(await stateOf(tenant, id)).toEqual(withoutTranscript('failed'));
  });
});
