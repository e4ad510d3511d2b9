import { freePort } from '../helpers/listening';
import { linkIn, type MailServer, openMailServer, stopMailServers } from '../mail/mail-server';
import { openWindow } from './browser';
import { eventually } from './eventually';
import { hold } from './inbox';
import { openSetting, password, type Setting, sendCredentials, signUp } from './setting';
import { visit } from './visit';

const another = 'another battery staple';

let mails: MailServer;
let setting: Setting;

beforeAll(async () => {
  mails = await openMailServer();
  // The service has to know its own address before it listens.
  const port = await freePort();
  setting = await openSetting({
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    MAIL_FROM: 'no-reply@testimonials.example',
  });
  await signUp(setting.page, 'ada@example.com');
});

afterAll(async () => {
  await setting?.close();
  await stopMailServers();
});

/** The next mail to this address; each is taken once. */
async function mailTo(address: string) {
  for (;;) {
    const index = mails.received.findIndex(({ to }) => to.includes(address));
    const [mail] = index < 0 ? [] : mails.received.splice(index, 1);
    if (mail) return mail;
    await new Promise((done) => setTimeout(done, 50));
  }
}

test('a test mail is asked for, and arrives', async () => {
  const { page, inspect } = setting;
  await page.goto('/account');
  await page.getByRole('button', { name: 'Send a test mail' }).click();
  await page
    .getByRole('status')
    .getByText(/mail server/)
    .waitFor();
  expect((await mailTo('ada@example.com')).text).toContain('Mails from your testimonials service');
  await page.getByText('The mail server has taken the mail.').waitFor();
  await inspect('account-mails');
});

test('nothing is said of what the mail server did with a mail before that is known', async () => {
  const { page } = setting;
  await visit(page, '/account');
  const taken = page.getByText('The mail server has taken the mail.');
  const looking = await hold(page, 'answers', /account\.mail\b/);
  await page.getByRole('button', { name: 'Send a test mail' }).click();
  await looking.isHeld();
  expect(await taken.count()).toBe(0);
  await looking.release();
  await mailTo('ada@example.com');
  await taken.waitFor();
});

test('a forgotten password is set anew by the keyboard alone, once', async () => {
  const { browser, service } = setting;
  const { page, watch } = await openWindow(browser, service.url);
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/forgot-password');
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('a link is on its way').waitFor();
  const link = linkIn(await mailTo('ada@example.com')).href;
  await page.goto(link);
  await page.getByLabel('New password', { exact: true }).fill(another);
  await page.keyboard.press('Enter');
  await page.getByText('The new password is set.').waitFor();
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/sign-in');
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill(another);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/api-keys');
  await page.goto(link);
  await page.getByText('This link has expired or was used').waitFor();
  await page.getByRole('link', { name: 'Ask for a new link' }).click();
  await page.waitForURL('**/forgot-password');
  expect(watch.foreign).toEqual([]);
  expect(watch.complaints.filter((text) => !text.includes('410'))).toEqual([]);
});

test('the pages of links can be read, seen and reached in every state', async () => {
  const { page, inspect, obstacles } = setting;
  await page.context().clearCookies();
  await page.goto('/sign-in');
  await inspect('sign-in-mailed');
  await page.goto('/forgot-password');
  await inspect('forgot-password');
  await page.getByLabel('E-mail').fill('nobody@example.com');
  await page.getByRole('button', { name: 'Send a link' }).click();
  await page.getByText('a link is on its way').waitFor();
  await eventually(async () =>
    expect(await page.locator(':focus').textContent()).toBe('Send a link'),
  );
  await inspect('forgot-password-sent');
  await page.goto('/reset-password');
  await page.getByText('This link is incomplete.').waitFor();
  await inspect('reset-password-bad');
  await page.goto('/forgot-password');
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByRole('button', { name: 'Send a link' }).click();
  await page.goto(linkIn(await mailTo('ada@example.com')).href);
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Switch off all API keys and webhooks too').check();
  await inspect('reset-password');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('The new password is set.').waitFor();
  await page.getByRole('status').getByText('webhooks are switched off').waitFor();
  expect(await page.getByText('go on working').count()).toBe(0);
  await inspect('reset-password-done');
  expect(obstacles).toEqual([]);
});

test('the address changes once the link to the new one is opened', async () => {
  const { page, inspect, obstacles } = setting;
  await page.goto('/sign-in?next=/account');
  await sendCredentials(page, 'Sign in', 'ada@example.com');
  await page.waitForURL('**/account');
  await page.getByRole('button', { name: 'Change e-mail' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('it counts once you follow it').waitFor();
  await dialog.getByLabel('New e-mail').fill('grace@example.com');
  await dialog.getByLabel('Your password', { exact: true }).fill('wrong password');
  await dialog.getByRole('button', { name: 'Change e-mail' }).click();
  await dialog.getByText('password is not right').waitFor();
  await inspect('account-change-email');
  await dialog.getByLabel('Your password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Change e-mail' }).click();
  await dialog.getByText('A link is on its way to grace@example.com').waitFor();
  await inspect('account-change-email-sent');
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect((await mailTo('ada@example.com')).text).toContain('grace@example.com');
  await page.goto(linkIn(await mailTo('grace@example.com')).href);
  const confirm = page.getByRole('button', { name: 'Confirm this address' });
  await confirm.waitFor();
  await inspect('confirm-email');
  await confirm.click();
  await page.getByText('The address is confirmed.').waitFor();
  await inspect('confirm-email-done');
  await page.getByRole('link', { name: 'Go on' }).click();
  await page.locator('#content').getByText('grace@example.com', { exact: true }).waitFor();
  expect(obstacles).toEqual([]);
});

test('a link that is opened where another was followed before is a link of its own', async () => {
  const { page } = setting;
  const linkTo = async (email: string): Promise<string> => {
    const answer = await page.request.post('/api/auth/change-email', {
      data: { newEmail: email, password },
      headers: { Origin: setting.service.url },
    });
    expect(answer.status()).toBe(200);
    return linkIn(await mailTo(email)).href;
  };
  const confirm = page.getByRole('button', { name: 'Confirm this address' });
  const done = page.getByText('The address is confirmed.');
  await page.goto(await linkTo('hedy@example.com'));
  await confirm.click();
  await done.waitFor();
  await page.goto(await linkTo('joan@example.com'));
  await confirm.waitFor();
  expect(await done.count()).toBe(0);
  await confirm.click();
  await done.waitFor();
  await page.getByRole('link', { name: 'Go on' }).click();
  await page.locator('#content').getByText('joan@example.com', { exact: true }).waitFor();
});
