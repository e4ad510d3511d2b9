import { query } from '../database/query';
import { row, signUpWithSpace } from './inbox';
import { placeOfWorker } from './place';
import { openSetting, type Setting } from './setting';

let setting: Setting;
let id: string;

beforeAll(async () => {
  setting = await openSetting();
  const { api, spaceId } = await signUpWithSpace(setting, 'Website');
  const { data } = await api('POST', '/testimonials', {
    space_id: spaceId,
    type: 'video',
    submitter_name: 'Ada Park',
    submitter_email: 'someone@northwind.example',
    video_url: 'https://media.northwind.example/ada.mp4',
  });
  id = data.id;
});

afterAll(() => setting?.close());

/** What a service that transcribes leaves of the video. */
async function store(
  transcription: string,
  transcript: string | null = null,
  text = transcript,
): Promise<void> {
  await query(
    placeOfWorker().service.database,
    'UPDATE testimonials SET transcription = $2, ai_transcript = $3, text_content = $4 WHERE id = $1',
    [id, transcription, transcript, text],
  );
}

async function open() {
  await setting.page.goto('/testimonials');
  return openShown();
}

/** Out of the rows that the page has already. */
async function openShown() {
  const { page } = setting;
  await row(page, 'Ada Park').getByRole('button', { name: 'Open Ada Park' }).click();
  return page.getByRole('dialog');
}

test('a video whose transcript may still come says so, and that it is there once it is', async () => {
  await store('pending');
  const dialog = await open();
  await dialog.getByRole('status').getByText('Its transcript is being made.').waitFor();
  await setting.inspect('transcript-pending');
  await store('done', 'It works as it should.');
  await dialog.getByText('Its transcript is there.').waitFor();
  await setting.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  const again = await openShown();
  expect(await again.getByLabel('Text').inputValue()).toBe('It works as it should.');
  expect(await again.getByText('transcript').count()).toBe(0);
});

test('one that somebody has written a text for meanwhile says that the text stays', async () => {
  await store('pending');
  const dialog = await open();
  await dialog.getByText('Its transcript is being made.').waitFor();
  await store('done', 'It works as it should.', 'Written by hand.');
  await dialog.getByText('Its transcript is there. The text stays as it was written.').waitFor();
});

test('one that could not be transcribed says so, and one that is not to be says nothing', async () => {
  await store('failed');
  await (await open()).getByText('No transcript could be made of it.').waitFor();
  await setting.inspect('transcript-failed');
  await store('none');
  const asked = setting.page.waitForResponse(/testimonials\.get/);
  const dialog = await open();
  await (await asked).finished();
  expect(await dialog.getByText('transcript').count()).toBe(0);
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});
