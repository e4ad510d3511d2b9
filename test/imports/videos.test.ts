import { provideEnv } from '@/src/env';
import { createTenant } from '../helpers/accounts';
import { closeServers } from '../outbound/servers';
import { makeShortVideo } from '../transcription/media';
import { jobsOf, stateOf, transcribed, withoutTranscript } from '../transcription/queued';
import { file, serveMedia, serveSpeechToText } from '../transcription/servers';
import { withOwnDatabase } from '../webhooks/own-database';
import { drainAt } from '../webhooks/sending';
import { importInto, item } from './items';

// Whatever is due is tried, in whichever account.
withOwnDatabase();

let mp4: Buffer;

beforeAll(async () => {
  mp4 = await makeShortVideo();
});

afterEach(closeServers);

async function newAccount() {
  const tenant = await createTenant();
  const space = (await tenant.space()).id;
  const video = (id: string, url: string, fields = {}) =>
    item(space, id, { type: 'video', video_url: url, ...fields });
  return { tenant, space, video };
}

const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

test('the videos of an import are transcribed after the answer, those with a transcript are not', async () => {
  const { tenant, space, video } = await newAccount();
  const media = await serveMedia(file(mp4));
  await serveSpeechToText();
  const body = await importInto(tenant, [
    video('new', media.url),
    video('known', media.url, { ai_transcript: 'Known.', text_content: 'Own.' }),
    item(space, 'text', { video_url: media.url }),
    item(space, 'none', { type: 'video' }),
  ]);
  expect(media.requests).toBe(0);
  const [fresh = '', known = '', text = '', none = ''] = idsOf(body);
  expect(await stateOf(tenant, fresh)).toEqual(withoutTranscript('pending'));
  expect(await stateOf(tenant, known)).toEqual(transcribed('Known.'));
  for (const id of [text, none]) {
    expect(await stateOf(tenant, id)).toEqual(withoutTranscript('none'));
  }
  await drainAt();
  expect(await stateOf(tenant, fresh)).toEqual(transcribed('Hello 0.'));
  expect([media.requests, await jobsOf(tenant)]).toEqual([1, []]);
});

test('another video of the same testimonial is transcribed anew, the same one is not', async () => {
  const { tenant, space, video } = await newAccount();
  const media = await serveMedia(file(mp4));
  await serveSpeechToText();
  const update = (items: unknown[]) => importInto(tenant, items, { on_duplicate: 'update' });
  const [id = '', text = ''] = idsOf(
    await update([video('a', `${media.url}/1`), item(space, 'b', { video_url: media.url })]),
  );
  await drainAt();
  await update([video('a', `${media.url}/1`, { rating: 5 })]);
  expect([media.requests, await jobsOf(tenant)]).toEqual([1, []]);
  await update([video('a', `${media.url}/2`), video('b', media.url)]);
  expect((await stateOf(tenant, id)).transcription).toBe('pending');
  await drainAt();
  expect(await stateOf(tenant, text)).toEqual(transcribed(expect.stringMatching(/^Hello [12]/)));
  await update([video('a', `${media.url}/3`, { ai_transcript: 'Given.' })]);
  expect(await stateOf(tenant, id)).toEqual(transcribed('Given.'));
  expect([media.requests, await jobsOf(tenant)]).toEqual([3, []]);
});

test('without a speech-to-text service nothing waits for a transcript', async () => {
  provideEnv({ TRANSCRIPTION_DISABLED: 'true' });
  const { tenant, video } = await newAccount();
  const [id = ''] = idsOf(await importInto(tenant, [video('a', 'https://files.example/v.mp4')]));
  expect(await stateOf(tenant, id)).toEqual(withoutTranscript('none'));
  expect(await jobsOf(tenant)).toEqual([]);
});
