import type { ServerResponse } from 'node:http';
import { log } from '@/src/logging/log';
import { transcriptionLimits } from '@/src/transcription/limits';
import { createTenant, minimalTestimonial, type Tenant } from '../helpers/accounts';
import { closeServers } from '../outbound/servers';
import { makeMedia } from './media';
import { file, serveMedia, serveSpeechToText } from './servers';

let mp4: Buffer;

beforeAll(async () => {
  mp4 = await makeMedia({ format: 'mp4', audio: 'aac', seconds: 1, videoFrameBytes: 1000 });
});

afterEach(closeServers);

/** Sends without end, and well above the least rate: nothing but the deadline ends it. */
function pour(response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'video/mp4' });
  response.write(mp4.subarray(0, 2048));
  const timer = setInterval(() => response.write(Buffer.alloc(64 * 1024)), 100);
  response.on('close', () => clearInterval(timer));
}

/** A server of videos without end; `reached(n)` resolves when so many are being downloaded. */
async function serveEndless() {
  let count = 0;
  let look = () => {};
  const media = await serveMedia((response) => {
    count += 1;
    pour(response);
    look();
  });
  const reached = (wanted: number) =>
    new Promise<void>((done) => {
      look = () => {
        if (count >= wanted) done();
      };
      look();
    });
  return { url: media.url, reached };
}

async function createVideos(tenant: Tenant, url: string, count: number) {
  const { id: spaceId } = await tenant.space();
  return Array.from({ length: count }, () =>
    tenant.api.post('/testimonials', {
      ...minimalTestimonial(spaceId),
      type: 'video',
      video_url: url,
    }),
  );
}

test('two accounts with 8 endless videos each: the video of a third is transcribed first', async () => {
  // The order is the rule; how long the others would wait must not matter.
  jest.replaceProperty(transcriptionLimits, 'placeTimeoutMs', 60_000);
  await serveSpeechToText();
  const [endless, media] = await Promise.all([serveEndless(), serveMedia(file(mp4))]);
  const [first, second, third] = await Promise.all([
    createTenant(),
    createTenant(),
    createTenant(),
  ]);
  const order: string[] = [];
  const note = (name: string) => (answer: { status: number }) => {
    order.push(`${name} ${answer.status}`);
  };
  const rivals = [
    ...(await createVideos(first, endless.url, 8)),
    ...(await createVideos(second, endless.url, 8)),
  ].map((answer) => answer.then(note('rival')));
  await endless.reached(6);

  const [answer] = await createVideos(third, media.url, 1);
  await answer?.then(note('third'));
  expect(order).toEqual(['third 201']);
  const { body } = await third.api.get('/testimonials');
  expect(body.data).toMatchObject([{ ai_transcript: 'Hello 0.' }]);

  await closeServers();
  await Promise.all(rivals);
  expect(order.slice(1)).toEqual(rivals.map(() => 'rival 201'));
});

test('without a free place in time the answer is 201 all the same, and the log says why', async () => {
  const reasons = watchReasons();
  jest.replaceProperty(transcriptionLimits, 'placeTimeoutMs', 200);
  await serveSpeechToText();
  const [endless, media] = await Promise.all([serveEndless(), serveMedia(file(mp4))]);
  const rivals: Promise<unknown>[] = [];
  for (const count of [4, 2, 1, 1]) {
    rivals.push(...(await createVideos(await createTenant(), endless.url, count)));
  }
  await endless.reached(8);

  const tenant = await createTenant();
  const [answer] = await createVideos(tenant, media.url, 1);
  expect((await answer)?.status).toBe(201);
  expect(media.requests).toBe(0);
  expect(reasons).toEqual(['waiting for a free place took too long']);
  await closeServers();
  await Promise.all(rivals);
});

test('one more than may wait of an account is answered at once', async () => {
  const reasons = watchReasons();
  jest.replaceProperty(transcriptionLimits, 'placeTimeoutMs', 60_000);
  await serveSpeechToText();
  const endless = await serveEndless();
  const { waitingPerAccount } = transcriptionLimits;
  const videos = await createVideos(await createTenant(), endless.url, 4 + waitingPerAccount + 1);
  expect((await Promise.race(videos)).status).toBe(201);
  expect(reasons).toEqual(['too many videos of the account wait already']);
  await closeServers();
  await Promise.all(videos);
});

function watchReasons(): unknown[] {
  const reasons: unknown[] = [];
  jest.spyOn(log(), 'warn').mockImplementation((line: unknown) => {
    reasons.push(Object(line).reason);
  });
  return reasons;
}
