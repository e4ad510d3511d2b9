import type { Locator, Page, Route } from 'playwright-core';
import { type Watch, watchBesides } from './browser';
import { eventually } from './eventually';
import { nowhere } from './receiver';
import { createKey, openSetting, password, type Setting, signUp } from './setting';
import { visit } from './visit';

let setting: Setting;

beforeAll(async () => {
  setting = await openSetting();
  await signUp(setting.page, 'ada@example.com');
});

afterAll(() => setting?.close());

const mayBeDone = 'No answer came from the service, so this may be done or not.';

/** Has the service do what is next asked of it so, and loses its answer. */
async function loseAnswer(page: Page, to: RegExp): Promise<void> {
  await page.route(
    to,
    async (route: Route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
}

const dialog = () => setting.page.getByRole('dialog');

/** Presses a button whose first answer is lost, and again. */
async function pressTwice(button: Locator, to: RegExp): Promise<void> {
  const { page } = setting;
  await loseAnswer(page, to);
  await button.click();
  await page.getByRole('alert').getByText(mayBeDone).waitFor();
  await button.click();
}

async function expectCount(what: Locator, count: number): Promise<void> {
  await eventually(async () => expect(await what.count()).toBe(count));
}

const actions = (name: string) =>
  setting.page.getByRole('button', { name: `Actions for ${name}`, exact: true });

describe('what is made and not answered is made once, and told where it is tried again', () => {
  test('a key, which works', async () => {
    const { page, service, inspect } = setting;
    await visit(page, '/api-keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Website');
    await page.getByLabel('Expires').selectOption('30');
    const button = dialog().getByRole('button', { name: 'Create key' });
    await loseAnswer(page, /apiKeys\.create/);
    await button.click();
    await page.getByRole('alert').getByText(mayBeDone).waitFor();
    await inspect('unanswered-create');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Website');
    await button.click();
    const key = await page.getByRole('region', { name: 'key', exact: true }).textContent();
    const answer = await fetch(`${service.url}/api/v1/me`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer.status).toBe(200);
    await page.getByRole('button', { name: 'Done' }).click();
    await expectCount(actions('Website'), 1);
  });

  test('a key in place of another', async () => {
    const { page } = setting;
    await createKey(page, 'Old');
    await actions('Old').click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    await pressTwice(dialog().getByRole('button', { name: 'Rotate key' }), /apiKeys\.rotate/);
    await page.getByRole('region', { name: 'key', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await expectCount(actions('Old'), 2);
  });

  test('an endpoint', async () => {
    const { page } = setting;
    await visit(page, '/webhooks');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByLabel('URL').fill(nowhere);
    const button = dialog().getByRole('button', { name: 'Add endpoint' });
    await pressTwice(button, /endpoints\.create/);
    await page.getByRole('region', { name: 'secret', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await expectCount(page.getByRole('link', { name: nowhere }), 1);
  });

  test('its new secret', async () => {
    const { page } = setting;
    await visit(page, '/webhooks');
    await page.getByRole('link', { name: nowhere }).click();
    await page.getByRole('button', { name: 'Actions for this endpoint' }).click();
    await page.getByRole('menuitem', { name: /Rotate/ }).click();
    await pressTwice(dialog().getByRole('button', { name: 'Rotate secret' }), /rotateSecret/);
    await page.getByRole('region', { name: 'secret', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
  });

  test('a test event', async () => {
    const { page } = setting;
    await visit(page, '/webhooks');
    await page.getByRole('link', { name: nowhere }).click();
    await page.getByRole('button', { name: 'Send test' }).click();
    await pressTwice(dialog().getByRole('button', { name: 'Send', exact: true }), /sendTest/);
    const sheet = page.getByRole('dialog', { name: 'Delivery' });
    await sheet.waitFor();
    await sheet.getByRole('button', { name: 'Close' }).click();
    await expectCount(page.getByRole('row'), 2);
  });

  test('a space; another is made by what is pressed after it was', async () => {
    const { page } = setting;
    await visit(page, '/spaces');
    for (const name of ['Northwind', 'Southwind']) {
      await page.getByRole('button', { name: 'Create space' }).click();
      await dialog().getByLabel('Name').fill(name);
      await pressTwice(dialog().getByRole('button', { name: 'Create space' }), /spaces\.create/);
      await dialog().waitFor({ state: 'detached' });
      await expectCount(actions(name), 1);
    }
  });
});

test('with other wishes than at first the person is told that the first are done', async () => {
  const { page, inspect } = setting;
  await visit(page, '/spaces');
  await page.getByRole('button', { name: 'Create space' }).click();
  await dialog().getByLabel('Name').fill('Eastwind');
  await loseAnswer(page, /spaces\.create/);
  const button = dialog().getByRole('button', { name: 'Create space' });
  await button.click();
  await page.getByRole('alert').getByText(mayBeDone).waitFor();
  await dialog().getByLabel('Name').fill('Westwind');
  await button.click();
  await page.getByRole('alert').getByText('Your first try was done after all').waitFor();
  await inspect('unanswered-other-wishes');
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await expectCount(actions('Eastwind'), 1);
  await expectCount(actions('Westwind'), 0);
});

test('where it is left at that, the list shows what was done', async () => {
  const { page } = setting;
  await visit(page, '/spaces');
  await actions('Eastwind').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await loseAnswer(page, /spaces\.delete/);
  await dialog().getByRole('button', { name: 'Delete space' }).click();
  await page.getByRole('alert').getByText(mayBeDone).waitFor();
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await expectCount(actions('Eastwind'), 0);
});

describe('an endpoint whose answer was lost', () => {
  async function open(): Promise<void> {
    const { page } = setting;
    await visit(page, '/webhooks');
    await page.getByRole('link', { name: nowhere }).click();
    await page.getByRole('button', { name: 'Actions for this endpoint' }).waitFor();
  }

  async function choose(item: string): Promise<void> {
    const { page } = setting;
    await page.getByRole('button', { name: 'Actions for this endpoint' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  }

  test('is seen to be resumed, with nothing said of it any more; its menu has the focus', async () => {
    const { page } = setting;
    await open();
    await choose('Pause');
    await dialog().getByRole('button', { name: 'Pause endpoint' }).click();
    await dialog().waitFor({ state: 'detached' });
    await loseAnswer(page, /endpoints\.update/);
    const resume = page.getByRole('button', { name: 'Resume' });
    await resume.click();
    await resume.waitFor({ state: 'detached' });
    await expectCount(page.getByRole('alert').filter({ hasText: mayBeDone }), 0);
    const focus = page.locator(':focus');
    await eventually(async () =>
      expect(await focus.getAttribute('aria-label')).toBe('Actions for this endpoint'),
    );
  });

  test('is seen to be deleted, which nobody did elsewhere', async () => {
    const { page } = setting;
    await open();
    await choose('Delete');
    await loseAnswer(page, /endpoints\.delete/);
    await dialog().getByRole('button', { name: 'Delete endpoint' }).click();
    await page.getByRole('heading', { name: 'This endpoint was deleted', exact: true }).waitFor();
    expect(await page.getByText(/meanwhile|elsewhere/).count()).toBe(0);
  });
});

test('offline nothing is sent, and nothing else is said', async () => {
  const { page } = setting;
  await visit(page, '/spaces');
  await page.getByRole('button', { name: 'Create space' }).click();
  await dialog().getByLabel('Name').fill('Offline');
  await page.context().setOffline(true);
  const button = dialog().getByRole('button', { name: 'Create space' });
  await button.click();
  await dialog().getByRole('alert').getByText('The service could not be reached.').waitFor();
  expect(await dialog().getByText(mayBeDone).count()).toBe(0);
  await page.context().setOffline(false);
  await button.click();
  await dialog().waitFor({ state: 'detached' });
  await expectCount(actions('Offline'), 1);
});

test('an address that was changed without an answer is shown, though the dialog is left', async () => {
  const { page } = setting;
  await visit(page, '/account');
  await page.getByRole('button', { name: 'Change e-mail' }).click();
  await dialog().getByLabel('New e-mail').fill('ada@northwind.example');
  await dialog().getByLabel('Your password', { exact: true }).fill(password);
  await loseAnswer(page, /change-email/);
  await dialog().getByRole('button', { name: 'Change e-mail' }).click();
  await dialog().getByText(mayBeDone).waitFor();
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  for (const place of ['#content', '#account-menu']) {
    await page.locator(place).getByText('ada@northwind.example', { exact: true }).waitFor();
  }
});

test('a password that may be changed is said to be so, and what follows from it', async () => {
  const { page } = setting;
  await visit(page, '/account');
  await page.getByLabel('Current password').fill(password);
  await page.getByLabel('New password').fill('another battery staple');
  await loseAnswer(page, /change-password/);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('the password may be changed already').waitFor();
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('The current password is not right.').waitFor();
});

test('so it is where the new session was lost with the answer, and the new password signs in', async () => {
  const { page } = setting;
  const context = page.context();
  const [current, next] = ['another battery staple', 'a third battery staple'];
  await visit(page, '/account');
  await page.getByLabel('Current password').fill(current);
  await page.getByLabel('New password').fill(next);
  const cookies = await context.cookies();
  await page.route(
    /change-password/,
    async (route) => {
      await route.fetch();
      await context.clearCookies();
      await context.addCookies(cookies);
      await route.abort();
    },
    { times: 1 },
  );
  const change = page.getByRole('button', { name: 'Change password' });
  await change.click();
  await page.getByText('the password may be changed already').waitFor();
  await change.click();
  const question = page.getByRole('dialog', { name: 'Sign in again' });
  await question.waitFor();
  await page.getByText('the password may be changed already').waitFor();
  expect(await page.getByText('signed out before this was done').count()).toBe(0);
  await question.getByLabel('Password', { exact: true }).fill(next);
  await question.getByRole('button', { name: 'Sign in' }).click();
  await question.waitFor({ state: 'detached' });
});

test('nothing is serious or wide, and no page complained of more than the lost answers', () => {
  const { foreign, complaints }: Watch = watchBesides('Failed to load resource', setting.watch);
  const { obstacles } = setting;
  expect({ obstacles, foreign, complaints }).toEqual({
    obstacles: [],
    foreign: [],
    complaints: [],
  });
});
