import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { openWindow } from './browser';
import { copied, eventually } from './eventually';
import { type Receiver, startReceiver } from './receiver';
import { createKey, openSetting, password, type Setting, signUp } from './setting';
import { listens, visit, visitAgain } from './visit';

/** From sign-up to an approved testimonial of one's own and a webhook received. */
const bounds = { clicks: 12, seconds: 60 };

let setting: Setting;
let receiver: Receiver;
const folder = mkdtempSync(join(tmpdir(), 'first-steps-'));

beforeAll(async () => {
  setting = await openSetting();
  receiver = await startReceiver();
});

afterAll(async () => {
  await receiver?.close();
  await setting?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Counts what a person presses, on every page that this window opens. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction('noteClick', () => {
    clicks += 1;
  });
  await page.addInitScript(() => {
    const note = () => Reflect.get(window, 'noteClick')();
    document.addEventListener('pointerdown', note, { capture: true });
  });
  return () => clicks;
}

/** Pastes a copied command with `part` in it into a terminal. Returns what it prints. */
async function runCopied(page: Page, part: string): Promise<string> {
  return (await promisify(execFile)('sh', ['-c', await copied(page, part)])).stdout;
}

test('from sign-up to an approved testimonial and a webhook takes 12 clicks and a minute at most', async () => {
  const { page, inspect } = setting;
  const clicks = await countClicks(page);
  await page.goto('/sign-up');
  // The pictures that are taken on the way are not the person's time.
  let pausedMs = 0;
  const look = async (name: string) => {
    const at = performance.now();
    await inspect(name);
    pausedMs += performance.now() - at;
  };
  const begun = performance.now();
  await page.getByLabel('E-mail').click();
  await page.keyboard.type('ada@example.com');
  await page.getByLabel('Password', { exact: true }).click();
  await page.keyboard.type(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/api-keys');
  await listens(page);
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Your first key may read and write').waitFor();
  await look('steps-create-key');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('This key may read and write, and not delete.').waitFor();
  await look('steps-1');
  await page.getByRole('button', { name: 'Copy request' }).click();
  expect(await runCopied(page, 'Bearer')).toContain('{"data":[]');
  await dialog.getByText('First request received').waitFor();
  await look('steps-2-space');
  await dialog.getByRole('button', { name: 'Make a space' }).click();
  await dialog.getByText('Waiting for the testimonial…').waitFor();
  await look('steps-2-request');
  await dialog.getByRole('button', { name: 'Copy testimonial' }).click();
  expect(await runCopied(page, 'submitter_name')).toContain('"submitter_name":"Ada Park"');
  await dialog.getByRole('button', { name: 'Approve', exact: true }).waitFor();
  await look('steps-2-arrived');
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  await dialog.getByText('First testimonial decided').waitFor();
  await look('steps-3');
  await dialog.getByRole('textbox', { name: 'URL' }).click();
  await page.keyboard.type(receiver.url);
  await dialog.getByRole('button', { name: 'Add it and send a test event' }).click();
  await dialog.getByText('First webhook received').waitFor();
  const seconds = (performance.now() - begun - pausedMs) / 1000;
  process.stdout.write(`Sign-up to webhook: ${clicks()} clicks, ${seconds.toFixed(1)} s\n`);
  expect(clicks()).toBeLessThanOrEqual(bounds.clicks);
  expect(seconds).toBeLessThan(bounds.seconds);
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ is_test: true });
  await dialog.getByText('Received: the address answered 204.').waitFor();
  await look('steps-done');
  await dialog.getByRole('button', { name: 'Done', exact: true }).click();
  await page.goto('/testimonials?status=approved');
  await page.getByRole('article', { name: 'Ada Park' }).waitFor();
});

test('the account is not new any more: the next key reads only, and has no steps', async () => {
  const { page } = setting;
  await visit(page, '/api-keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await eventually(async () =>
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(''),
  );
  await page.getByLabel('Name', { exact: true }).fill('Second');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await page.getByText('This key may read, and not write or delete.').waitFor();
  await page.getByText('Waiting for the first request…').waitFor();
  expect(await page.getByText('Receive a webhook').count()).toBe(0);
  await setting.inspect('key-try-it');
});

test('code is there in four languages, the one chosen is remembered, and runs with Node', async () => {
  const { page, inspect } = setting;
  const tabs = page.getByRole('tablist', { name: 'Language' });
  await tabs.getByRole('tab', { name: 'curl' }).focus();
  for (const [language, words] of [
    ['fetch', 'await fetch('],
    ['Python', 'requests.get('],
    ['PHP', 'curl_init('],
  ]) {
    await page.keyboard.press('ArrowRight');
    await page
      .locator(':focus')
      .getByText(language ?? '')
      .waitFor();
    await page
      .getByRole('tabpanel')
      .getByText(words ?? '')
      .waitFor();
    await inspect(`key-try-it-${language}`);
  }
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  const code = (await page.getByRole('region', { name: 'request' }).textContent()) ?? '';
  const file = join(folder, 'first.mjs');
  writeFileSync(file, code);
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  expect(stdout).toMatch(/^200 \{"data":\[/);
  await page.getByText('First request received').waitFor();
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await visitAgain(page);
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Third');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('tab', { name: 'fetch', selected: true }).waitFor();
  await page.getByRole('button', { name: 'Done', exact: true }).click();
});

test('an empty inbox shows the steps, with where to get a key, and keeps them until they are hidden', async () => {
  const { browser, service } = setting;
  const { page, context, watch } = await openWindow(browser, service.url);
  await signUp(page, 'bob@example.com');
  const key = await createKey(page, 'Website');
  await page.goto('/testimonials');
  await page.getByRole('heading', { name: 'Your first testimonial' }).waitFor();
  const code = page.getByRole('region', { name: 'request' });
  await code.getByText(`<your key, from ${service.url}/api-keys>`).waitFor();
  await fetch(`${service.url}/api/v1/testimonials`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  await page.getByText('First request received').waitFor();
  await page.getByRole('button', { name: 'Make a space' }).click();
  const command =
    (await page.getByRole('region', { name: 'testimonial', exact: true }).textContent()) ?? '';
  const runnable = command.replace(/<your key[^>]*>/, key);
  await promisify(execFile)('sh', ['-c', runnable]);
  await page.getByRole('button', { name: 'Approve', exact: true }).first().waitFor();
  await page.getByRole('article', { name: 'Ada Park' }).waitFor();
  await page
    .getByRole('list')
    .getByRole('button', { name: 'Approve', exact: true })
    .first()
    .click();
  await page.getByText('First testimonial decided').waitFor();
  receiver.answer = { status: 500 };
  await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
  await page.getByRole('button', { name: 'Add it and send a test event' }).click();
  await page.getByRole('alert').getByText('Not received: 500.').waitFor();
  await page.getByRole('region', { name: 'secret' }).waitFor();
  receiver.answer = { status: 200 };
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByText('First webhook received').waitFor();
  await page.getByRole('region', { name: 'secret' }).waitFor();
  await page.getByRole('button', { name: 'Hide the steps' }).click();
  await eventually(async () =>
    expect(await page.getByText('First webhook received').count()).toBe(0),
  );
  await page.reload();
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  expect(await page.getByText('First request received').count()).toBe(0);
  expect(watch).toEqual({ foreign: [], complaints: [] });
  await context.close();
});

test('an address that may not be called says so, and nothing is added', async () => {
  const { browser, service } = setting;
  const { page, context } = await openWindow(browser, service.url);
  await signUp(page, 'carol@example.com');
  await visit(page, '/testimonials');
  await page.getByRole('button', { name: 'Receive a webhook' }).click();
  await page.getByText('No address at hand?').click();
  await page.getByText('webhook tester').waitFor();
  await page.getByRole('textbox', { name: 'URL' }).fill('ftp://example.com/');
  await page.getByRole('button', { name: 'Add it and send a test event' }).click();
  await page.getByRole('alert').getByText('The URL must begin with https:// or http://.').waitFor();
  await page.getByRole('button', { name: 'Add it and send a test event' }).waitFor();
  await page.goto('/webhooks');
  await page.getByText('Add your first endpoint').waitFor();
  await context.close();
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('no page asked another host for anything, or complained', () => {
  expect(setting.watch).toEqual({ foreign: [], complaints: [] });
});
