import { hasFocus } from './eventually';
import { hold, row, signUpWithSpace, submissionOf } from './inbox';
import { openSetting, type Setting } from './setting';
import { visit } from './visit';

let setting: Setting;

beforeAll(async () => {
  setting = await openSetting();
  const { api, spaceId } = await signUpWithSpace(setting, 'Import');
  for (const name of ['Ann', 'Ben'])
    await api('POST', '/testimonials', submissionOf(spaceId, name));
});

afterAll(() => setting?.close());

test('a batch can be stopped and closed by key where a click gives no button the focus', async () => {
  const { page } = setting;
  await visit(page, '/testimonials');
  await row(page, 'Ann').waitFor();
  await page.getByLabel('Select Ann', { exact: true }).check();
  await page.getByRole('button', { name: 'Select all 2 that match' }).click();
  await page.getByRole('region', { name: 'Selection' }).getByText('Approve').click();
  const dialog = page.getByRole('dialog');
  await hasFocus(dialog.getByRole('button', { name: 'Cancel' }));
  const approving = await hold(page, 'requests', /testimonials\.updateBatch/);
  await dialog.getByRole('button', { name: 'Approve' }).evaluate((button) => {
    // What has it is what stands around the button and can.
    button.closest<HTMLElement>('[tabindex]')?.focus();
    if (button instanceof HTMLElement) button.click();
  });
  await approving.isHeld();
  await hasFocus(dialog.getByRole('button', { name: 'Stop' }));
  await dialog.focus();
  await approving.release();
  await dialog.getByText('2 of 2 testimonials approved').waitFor();
  await hasFocus(dialog.getByRole('button', { name: 'Close' }).last());
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
});

test('the page that one signs out on is none to go back to: it may be shown as it was', async () => {
  const { page } = setting;
  await visit(page, '/spaces');
  await visit(page, '/account');
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/sign-in');
  await page.goBack();
  await page.waitForURL('**/sign-in?next=%2Fspaces');
});
