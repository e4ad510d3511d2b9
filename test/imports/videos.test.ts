import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { drainAt } from '../helpers/drain';
import { dayMs } from '../helpers/durations';
import { withOwnDatabase } from '../helpers/own-database';
import { closeServers } from '../outbound/servers';
import { drain, exists, temporaryFiles, upload } from '../storage/files';
import { jobsOf, next, stateOf, transcribed, withoutTranscript } from '../transcription/queued';
import { serveAfter, serveSpeechToText, serveVideo } from '../transcription/servers';
import { importInto, item } from './items';
import { english, idsOf, newAccount, withVideo } from './videos';

jest.mock('@/src/transcription/extract', () =>
  jest.requireActual('../transcription/extracted-once'),
);

// Whatever is due is tried, in whichever account.
withOwnDatabase();

const folder = temporaryFiles();

afterEach(closeServers);

test('the videos of an import are transcribed after the answer, those with a transcript are not', async () => {
  const { tenant, space, video } = await newAccount();
  const media = await serveVideo();
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
  const media = await serveVideo();
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

describe('a video of which a text is made', () => {
  test('is not transcribed any more, and the event says so', async () => {
    const { tenant, space, media, id, update, lastEvent } = await withVideo({ isTried: false });
    await update(item(space, 'a', { text_content: 'Own.' }));
    expect(await stateOf(tenant, id)).toEqual(withoutTranscript('none'));
    const data = { ...withoutTranscript('none'), text_content: 'Own.' };
    expect(await lastEvent()).toEqual(['testimonial.updated', data]);
    await drainAt();
    expect([media.requests, await jobsOf(tenant)]).toEqual([0, []]);
  });

  test('during a try gets no transcript', async () => {
    const { tenant, space, service, id, update, textOf } = await withVideo({ isTried: false });
    service.answer = async () => {
      await update(item(space, 'a', { text_content: 'Own.' }));
      return { body: { text: 'Too late.' } };
    };
    await drainAt();
    expect(await stateOf(tenant, id)).toEqual(withoutTranscript('none'));
    expect([await textOf(), await jobsOf(tenant)]).toEqual(['Own.', []]);
  });

  test('leaves its transcript as the text, and has it no more as one', async () => {
    const { tenant, space, id, update, textOf } = await withVideo();
    await update(item(space, 'a'));
    expect(await stateOf(tenant, id)).toEqual(withoutTranscript('none'));
    expect(await textOf()).toBe('Hello 0.');
  });

  test('has the transcript that the item gives', async () => {
    const { tenant, space, id, update } = await withVideo();
    await update(item(space, 'a', { ai_transcript: 'Given.' }));
    expect(await stateOf(tenant, id)).toEqual(transcribed('Given.'));
  });
});

describe('another video in place of one', () => {
  test('lets go of the transcript of the old one, and has its own', async () => {
    const { tenant, video, media, id, update, textOf, lastEvent } = await withVideo();
    expect(await stateOf(tenant, id)).toEqual(english('Hello 0.'));
    await update(video('a', `${media.url}/2`));
    expect(await stateOf(tenant, id)).toEqual(withoutTranscript('pending'));
    const data = { ...withoutTranscript('pending'), text_content: null };
    expect(await lastEvent()).toEqual(['testimonial.updated', data]);
    await drainAt();
    expect(await stateOf(tenant, id)).toEqual(english('Hello 1.'));
    expect(await textOf()).toBe('Hello 1.');
    const changed = { ...english('Hello 1.'), text_content: 'Hello 1.' };
    expect(await lastEvent()).toEqual(['testimonial.updated', changed]);
  });

  test('has tries and a day of its own where the old one was still tried, and its transcript for a text', async () => {
    const { tenant, video, id, update, textOf } = await withVideo({ isTried: false });
    const where = { testimonialId: id };
    const createdAt = new Date(Date.now() - dayMs);
    await database().transcriptionJob.update({ where, data: { attemptCount: 9, createdAt } });
    const other = await serveAfter((response) => response.writeHead(503).end());
    await update(video('a', other.url, { text_content: 'A caption.' }));
    await drainAt();
    expect(await stateOf(tenant, id)).toEqual(withoutTranscript('pending'));
    await drainAt(next());
    expect(await textOf()).toBe('Hello 0.');
  });

  test('leaves a text that is not the transcript of the old one', async () => {
    const { tenant, video, media, id, update, textOf } = await withVideo();
    await tenant.api.patch(`/testimonials/${id}`, { text_content: 'Edited.' });
    await update(video('a', `${media.url}/2`));
    expect([await textOf(), await stateOf(tenant, id)]).toEqual([
      'Edited.',
      withoutTranscript('pending'),
    ]);
    await update(video('a', `${media.url}/3`, { text_content: 'Given.' }));
    expect(await textOf()).toBe('Given.');
  });

  test('is not transcribed where its transcript is given', async () => {
    const { tenant, video, media, id, update, textOf } = await withVideo();
    await update(video('a', `${media.url}/2`, { ai_transcript: 'Given.' }));
    expect(await stateOf(tenant, id)).toEqual(transcribed('Given.'));
    expect([await textOf(), await jobsOf(tenant)]).toEqual(['Given.', []]);
  });

  test('without events lets go as well, and fires none but that of its transcript', async () => {
    const { tenant, video, media, id, update, lastEvent } = await withVideo();
    const before = await tenant.events();
    await update(video('a', `${media.url}/2`), { events: false });
    expect(await stateOf(tenant, id)).toEqual(withoutTranscript('pending'));
    expect(await tenant.events()).toEqual(before);
    await drainAt();
    expect(await tenant.events()).toHaveLength(before.length + 1);
    expect(await lastEvent()).toEqual([
      'testimonial.updated',
      expect.objectContaining({ transcription: 'done' }),
    ]);
  });

  test('lets go without a speech-to-text service too', async () => {
    const { tenant, video, media, id, update } = await withVideo();
    provideEnv({ TRANSCRIPTION_DISABLED: 'true' });
    await update(video('a', `${media.url}/2`));
    expect(await stateOf(tenant, id)).toEqual(withoutTranscript('none'));
  });
});

test('the same video again leaves all that belongs to it, whatever else changes', async () => {
  const { tenant, video, media, id, update, textOf } = await withVideo();
  const before = await tenant.events();
  const again = await update(video('a', `${media.url}/1`));
  expect([again.skipped, await tenant.events()]).toEqual([1, before]);
  await update(video('a', `${media.url}/1`, { rating: 5 }));
  await update(item((await tenant.space()).id, 'a', { type: 'video', status: 'approved' }));
  expect([await textOf(), await stateOf(tenant, id)]).toEqual(['Hello 0.', english('Hello 0.')]);
  await drainAt();
  expect([media.requests, await jobsOf(tenant)]).toEqual([1, []]);
});

describe('the text that a transcript has replaced', () => {
  async function withCaption() {
    const caption = { text_content: 'A caption.' };
    const account = await withVideo({ fields: caption });
    const { video, media, update } = account;
    const again = (fields = {}) => update(video('a', `${media.url}/1`, { ...caption, ...fields }));
    expect(await account.textOf()).toBe('Hello 0.');
    return { ...account, again };
  }

  test('is skipped when the same import is sent again', async () => {
    const { tenant, again, textOf } = await withCaption();
    const before = await tenant.events();
    expect([(await again()).skipped, await textOf()]).toEqual([1, 'Hello 0.']);
    expect(await tenant.events()).toEqual(before);
  });

  test('leaves the transcript where the item changes something else', async () => {
    const { again, textOf, id, tenant } = await withCaption();
    expect((await again({ rating: 5 })).updated).toBe(1);
    expect([await textOf(), await stateOf(tenant, id)]).toEqual(['Hello 0.', english('Hello 0.')]);
  });

  test('is not the one that an item changes', async () => {
    const { again, textOf } = await withCaption();
    await again({ text_content: 'Another caption.' });
    expect(await textOf()).toBe('Another caption.');
    await again();
    expect(await textOf()).toBe('A caption.');
  });

  test('is set again with another video', async () => {
    const { again, textOf, media } = await withCaption();
    await again({ video_url: `${media.url}/2` });
    expect(await textOf()).toBe('A caption.');
    await drainAt();
    expect(await textOf()).toBe('Hello 1.');
  });

  test('is set beside a transcript of the item', async () => {
    const { again, textOf, id, tenant } = await withCaption();
    await again({ ai_transcript: 'Given.' });
    expect([await textOf(), await stateOf(tenant, id)]).toEqual([
      'A caption.',
      transcribed('Given.'),
    ]);
  });
});

test('a transcript that an item gives takes the place of ours, in the text too, without its language', async () => {
  const { tenant, video, media, id, update, textOf } = await withVideo();
  await update(video('a', `${media.url}/1`, { ai_transcript: 'Given.' }));
  expect([await textOf(), await stateOf(tenant, id)]).toEqual(['Given.', transcribed('Given.')]);
  await update(video('a', `${media.url}/1`, { text_content: 'Own.' }));
  await update(video('a', `${media.url}/1`, { ai_transcript: 'Mended.' }));
  expect([await textOf(), await stateOf(tenant, id)]).toEqual(['Own.', transcribed('Mended.')]);
});

test('an uploaded file that another replaces is removed, unless something still names it', async () => {
  provideEnv({ TRANSCRIPTION_DISABLED: 'true' });
  const { tenant, space, video } = await newAccount();
  const uploaded = (kind: 'avatar' | 'video' | 'thumbnail') =>
    upload(folder, tenant.accountId, kind);
  const [avatar, shared] = [await uploaded('avatar'), await uploaded('thumbnail')];
  const [kept, old] = [await uploaded('thumbnail'), await uploaded('video')];
  const files = { submitter_avatar_url: avatar.url, video_thumbnail_url: kept.url };
  const other = item(space, 'b', { video_thumbnail_url: shared.url });
  await importInto(tenant, [video('a', old.url, files), other]);
  const update = (items: unknown[]) => importInto(tenant, items, { on_duplicate: 'update' });
  const present = async () => {
    await drain();
    return Promise.all([avatar, kept, shared, old].map(({ path }) => exists(path)));
  };
  await update([item(space, 'a', { text_content: 'Own.' }), other]);
  expect(await present()).toEqual([true, true, true, true]);
  const url = 'https://files.example/v.mp4';
  await update([video('a', url, { submitter_avatar_url: shared.url })]);
  expect(await present()).toEqual([false, true, true, false]);
  await update([video('a', url, { submitter_avatar_url: 'https://files.example/a.png' })]);
  expect(await present()).toEqual([false, true, true, false]);
});
