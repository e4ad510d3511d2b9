import { sampleVideo } from '@/src/test-mode/sample-video';
import { watchBesides } from './browser';
import { eventually } from './eventually';
import { type apiOf, row, signUpWithSpace, submissionOf } from './inbox';
import { openSetting, type Setting } from './setting';
import { visit } from './visit';

let setting: Setting;
let api: ReturnType<typeof apiOf>;
let spaceId: string;

beforeAll(async () => {
  setting = await openSetting();
  ({ api, spaceId } = await signUpWithSpace(setting, 'Website'));
});

afterAll(() => setting?.close());

const dialog = () => setting.page.getByRole('dialog');

/** A testimonial with an uploaded video, which nothing asks for until one plays it. Gives its address. */
async function submitWithVideo(name: string): Promise<URL> {
  const url: string = await setting.page.evaluate(
    async (bytes) => {
      const answer = await fetch('/api/trpc/uploads.video', {
        method: 'POST',
        headers: { 'Content-Type': 'application/octet-stream' },
        body: new Uint8Array(bytes),
      });
      return (await answer.json()).result.data.url;
    },
    [...sampleVideo],
  );
  await api('POST', '/testimonials', {
    ...submissionOf(spaceId, name),
    type: 'video',
    video_url: url,
  });
  // Files have the address that the service is told that it has.
  const address = new URL(new URL(url).pathname, setting.service.url);
  expect((await fetch(address)).status).toBe(200);
  return address;
}

async function askToDelete(name: string): Promise<void> {
  const { page } = setting;
  await visit(page, '/testimonials');
  await row(page, name)
    .getByRole('button', { name: `Open ${name}` })
    .click();
  await dialog().getByRole('button', { name: 'Delete…' }).click();
}

test('one testimonial takes its uploaded files with it', async () => {
  const { page, inspect } = setting;
  const url = await submitWithVideo('Ada');
  await askToDelete('Ada');
  await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog().getByText('1 of 1 testimonial deleted').waitFor();
  await eventually(async () => expect((await fetch(url)).status).toBe(404));
  await dialog().getByRole('button', { name: 'Close' }).last().click();
  await row(page, 'Ada').waitFor({ state: 'detached' });
  await inspect('inbox-deleted');
});

test('one that somebody else has deleted meanwhile is said to be gone', async () => {
  await submitWithVideo('Ben');
  await askToDelete('Ben');
  await dialog().getByText('It is deleted for good, with its uploaded files').waitFor();
  const { data } = await api('GET', '/testimonials');
  await api('DELETE', `/testimonials/${data[0].id}`);
  await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog().getByText('No testimonial was deleted').waitFor();
  await dialog().getByText('1 was gone already').waitFor();
});

test('several leave theirs, which is said before', async () => {
  const { page, inspect } = setting;
  const urls = [await submitWithVideo('Cid'), await submitWithVideo('Dan')];
  await visit(page, '/testimonials');
  await page.getByLabel('Select all that are loaded').check();
  await page.getByRole('region', { name: 'Selection' }).getByText('Delete…').click();
  await dialog().getByText('Their uploaded files stay').waitFor();
  await inspect('inbox-delete-several');
  await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog().getByText('2 of 2 testimonials deleted').waitFor();
  for (const url of urls) expect((await fetch(url)).status).toBe(200);
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('no page asked another host for anything, or complained of more than what was gone', () => {
  expect(watchBesides('status of 404', setting.watch)).toEqual({ foreign: [], complaints: [] });
});
