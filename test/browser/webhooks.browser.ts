import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { query } from '../database/query';
import { watchBesides } from './browser';
import { cutOnPaper, onPaper } from './checks';
import { copied, eventually } from './eventually';
import { hold } from './inbox';
import { placeOfWorker } from './place';
import { type Receiver, startReceiver } from './receiver';
import { createKey, openSetting, type Setting, signUp } from './setting';
import { visit } from './visit';

let setting: Setting;
let receiver: Receiver;
let secret: string;

beforeAll(async () => {
  [setting, receiver] = await Promise.all([openSetting(), startReceiver()]);
  await signUp(setting.page, 'ada@example.com');
});

afterAll(async () => {
  await setting?.close();
  await receiver?.close();
});

/** A testimonial through the API, as another system would send it. */
async function submitTestimonial(): Promise<void> {
  const { page, service } = setting;
  const key = await createKey(page, 'Import');
  const post = async (path: string, body: unknown) => {
    const answer = await fetch(`${service.url}/api/v1${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { data: { id: string } }).data;
  };
  const space = await post('/spaces', { name: 'Northwind' });
  await post('/testimonials', {
    space_id: space.id,
    type: 'text',
    submitter_name: 'Ada Park',
    submitter_email: 'ada@northwind.example',
    text_content: "It's the calmest tool we have.",
  });
}

describe('a webhook', () => {
  test('is set up from an empty page, and shows its secret once', async () => {
    const { page, inspect } = setting;
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'Add your first endpoint' }).waitFor();
    await inspect('webhooks-empty');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByLabel('URL').fill('ftp://example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByText('The URL must begin with https:// or http://.').waitFor();
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByLabel('Description').fill('Rebuilds the website');
    await page.getByLabel('testimonial.deleted').uncheck();
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
    secret = (await page.getByRole('region', { name: 'secret' }).textContent()) ?? '';
    expect(secret).toMatch(/^whsec_/);
    await inspect('webhooks-secret');
    await page.getByText('Python', { exact: true }).click();
    await page.getByText('pip install standardwebhooks').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('cell', { name: 'created, approved, rejected' }).waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  test('promises no event while it is paused', async () => {
    const { page } = setting;
    const { database } = placeOfWorker().service;
    await page.getByRole('cell', { name: 'None in 30 days' }).waitFor();
    await query(database, 'UPDATE webhook_endpoints SET enabled = false', []);
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByText('Nothing is sent before the endpoint is resumed.').waitFor();
    await query(database, 'UPDATE webhook_endpoints SET enabled = true', []);
    await visit(page, '/webhooks');
  });

  test('is sent a test event, which arrives and can be verified', async () => {
    const { page, inspect } = setting;
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('heading', { name: receiver.url }).waitFor();
    await page.getByText('Nothing was sent in the last 30 days').waitFor();
    await inspect('webhook-empty');
    await page.getByRole('button', { name: 'Send test' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send a test event' });
    await dialog.getByLabel('Event').selectOption('testimonial.approved');
    await inspect('webhook-test');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const sheet = page.getByRole('dialog', { name: 'Delivery' });
    await sheet.getByText('Succeeded').waitFor();
    await inspect('webhook-delivery-succeeded');
    const [sent] = receiver.received;
    if (!sent) throw new Error('Nothing arrived');
    expect(new Webhook(secret).verify(sent.body, sent.headers)).toMatchObject({
      type: 'testimonial.approved',
      is_test: true,
    });
    expect(await cutOnPaper(page)).toEqual([]);
    await onPaper(page, async () => {
      expect(
        await page.getByRole('button', { name: 'Send test', includeHidden: true }).isVisible(),
      ).toBe(false);
      // What is fixed would be on every page.
      expect(
        await sheet.evaluate((element) => {
          const parts = [...element.querySelectorAll('*'), element];
          for (let at = element.parentElement; at; at = at.parentElement) parts.push(at);
          return parts.filter((part) => getComputedStyle(part).position === 'fixed').length;
        }),
      ).toBe(0);
    });
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
  });

  test('shows a failed delivery with the reason in words, and repairs it', async () => {
    const { page, inspect } = setting;
    receiver.answer = {
      status: 308,
      headers: { location: 'https://example.com/' },
      body: 'Moved',
    };
    const address = page.url();
    await submitTestimonial();
    await page.goto(address);
    await page.getByRole('button', { name: 'testimonial.created' }).click();
    const sheet = page.getByRole('dialog', { name: 'Delivery' });
    const words = 'The address answered with a redirect; use the final address.';
    await sheet.getByText(words).first().waitFor();
    // By now there may be another attempt: the first is the last.
    await sheet.getByText('The event is kept and sent again.').last().waitFor();
    await sheet.getByText('Headers of the answer').last().click();
    const answered = sheet.getByRole('region', { name: 'headers of the answer to attempt 1' });
    expect(await answered.textContent()).toMatch(/^location: https:\/\/example.com\/\n/);
    await sheet.getByText('Moved').last().waitFor();
    await inspect('webhook-delivery-pending');
    await sheet.getByText('Headers of the request').click();
    const asked = await sheet.getByRole('region', { name: 'request headers' }).textContent();
    // Of whichever attempt is shown: by now there may be another.
    const sent = receiver.received.findLast(({ headers }) =>
      asked?.includes(`\nwebhook-timestamp: ${headers['webhook-timestamp']}\n`),
    );
    for (const name of ['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp']) {
      expect(asked).toContain(`\n${name}: ${sent?.headers[name]}\n`);
    }
    await sheet.getByRole('region', { name: 'request headers' }).scrollIntoViewIfNeeded();
    await inspect('webhook-delivery-request');
    // The open delivery stands in the address, so it is there on the first paint as well.
    await page.reload();
    await sheet.getByText(words).first().waitFor();
    await sheet.getByRole('button', { name: 'Copy as curl' }).click();
    const command = await copied(page, `curl -i '${receiver.url}'`);
    expect(command).toContain("It'\\''s the calmest tool we have.");
    receiver.answer = { status: 204 };
    await sheet.getByRole('button', { name: 'Resend' }).click();
    await sheet.getByText('Succeeded').waitFor();
    await page.getByText(/^\d+% delivered in 24 h$/).waitFor();
    await inspect('webhook-delivery-repaired');
    await sheet.getByRole('button', { name: 'Close' }).click();
    await sheet.waitFor({ state: 'hidden' });
    const focused = page.locator(':focus');
    await eventually(async () => expect(await focused.textContent()).toBe('testimonial.created'));
    await inspect('webhook');
  });

  test('is not sent a delivery twice where its sheet is left and opened again meanwhile', async () => {
    const { page } = setting;
    const opener = page.getByRole('button', { name: 'testimonial.created' });
    const sheet = page.getByRole('dialog', { name: 'Delivery' });
    const resend = sheet.getByRole('button', { name: 'Resend' });
    await opener.click();
    const held = await hold(page, 'requests', /deliveries\.resend/);
    await resend.click();
    await held.isHeld();
    await sheet.getByRole('button', { name: 'Close' }).click();
    await sheet.waitFor({ state: 'hidden' });
    await opener.click();
    await resend.waitFor();
    expect(await resend.isDisabled()).toBe(true);
    await held.release();
    await eventually(async () => expect(await resend.isEnabled()).toBe(true));
    await sheet.getByRole('button', { name: 'Close' }).click();
    await sheet.waitFor({ state: 'hidden' });
  });

  test('keeps the filters in the address', async () => {
    const { page, inspect } = setting;
    await page.getByLabel('State', { exact: true }).selectOption('failed');
    await page.getByText('No deliveries match').waitFor();
    await eventually(async () => expect(new URL(page.url()).search).toBe('?state=failed'));
    await inspect('webhook-no-match');
    await page.goto(`${new URL(page.url()).pathname}?event=testimonial.created`);
    await eventually(async () =>
      expect(await page.getByLabel('Event', { exact: true }).inputValue()).toBe(
        'testimonial.created',
      ),
    );
    await eventually(async () =>
      expect(await page.getByRole('button', { name: 'testimonial.created' }).count()).toBe(1),
    );
    await eventually(async () =>
      expect(await page.getByRole('button', { name: 'testimonial.approved' }).count()).toBe(0),
    );
  });

  test('replays what failed', async () => {
    const { page, inspect } = setting;
    await page.getByRole('button', { name: 'Replay failed' }).click();
    await page.getByText('No event since then has failed.').waitFor();
    await inspect('webhook-replay-nothing');
    await eventually(async () =>
      expect(await page.getByRole('button', { name: 'Replay', exact: true }).isDisabled()).toBe(
        true,
      ),
    );
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  test('is edited, paused, resumed, and gets another secret', async () => {
    const { page, inspect } = setting;
    const menu = page.getByRole('button', { name: 'Actions for this endpoint' });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByLabel('testimonial.deleted').check();
    await inspect('webhook-edit');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('created, approved, rejected, deleted', { exact: true }).waitFor();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await page.getByText('Events of that time are lost for it').waitFor();
    await inspect('webhook-pause');
    await page.getByRole('button', { name: 'Pause endpoint' }).click();
    await page.getByText('Paused: nothing is sent').waitFor();
    await inspect('webhook-paused');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Enabled').waitFor();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Pause endpoint' }).click();
    await page.getByText('Paused: nothing is sent').waitFor();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Resume' }).click();
    await page.getByText('Enabled').waitFor();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    const rotated = await page.getByRole('region', { name: 'secret' }).textContent();
    expect(rotated).not.toBe(secret);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('The secret before the last rotation signs too').waitFor();
  });

  test('switched off by the service says why, in the list too', async () => {
    const { page, inspect } = setting;
    receiver.answer = { status: 410 };
    const address = page.url();
    await submitTestimonial();
    await page.goto(address);
    await page.getByText('It answered 410 Gone').waitFor();
    await inspect('webhook-switched-off');
    await page.getByRole('link', { name: 'Webhooks' }).first().click();
    await page.getByText('It answered 410 Gone').waitFor();
    await inspect('webhooks');
  });

  test('is resumed, and what failed is replayed', async () => {
    const { page } = setting;
    receiver.answer = { status: 200 };
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('button', { name: 'Actions for this endpoint' }).click();
    await page.getByRole('menuitem', { name: 'Resume' }).click();
    await page.getByText('Enabled').waitFor();
    await page.getByRole('button', { name: 'Replay failed' }).click();
    await page.getByText('1 delivery to send again.').waitFor();
    await setting.inspect('webhook-replay');
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByText('1 delivery is sent again.').waitFor();
    await page.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('cell', { name: 'Failed' }).waitFor({ state: 'detached' });
  });

  test('replays what failed since a time that one names, by the clock of where one is', async () => {
    const { page, inspect } = setting;
    // Far from UTC, wherever this runs.
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Kolkata' });
    const anHourAgo = Date.now() - 3_600_000;
    const local = new Date(anHourAgo + 5.5 * 3_600_000).toISOString().slice(0, 16);
    const replay = page.getByRole('button', { name: 'Replay failed' });
    // All are here, and none of them failed.
    await eventually(async () => expect(await replay.isDisabled()).toBe(true));
    await page.getByLabel('Event', { exact: true }).selectOption('testimonial.created');
    await replay.click();
    await page.getByLabel('Replay failed events since').selectOption('a time of my choice');
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    // Nothing is asked for without a time.
    await eventually(async () =>
      expect(await page.getByLabel('Time').evaluate((field) => field.matches(':invalid'))).toBe(
        true,
      ),
    );
    const counted = page.waitForRequest(/webhooks.deliveries.countReplayable/);
    await page.getByLabel('Time').fill(local);
    await inspect('webhook-replay-time');
    const asked = decodeURIComponent((await counted).url());
    const since = /"since":"([^"]+)"/.exec(asked)?.[1];
    expect(since).toBe(`${new Date(anHourAgo).toISOString().slice(0, 16)}:00.000Z`);
    await session.detach();
    await page.getByText('No event since then has failed.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Event', { exact: true }).selectOption('');
  });

  test('shows where a delivery went, after the endpoint was sent elsewhere, and that a test is sent once', async () => {
    const { page } = setting;
    receiver.answer = { status: 500 };
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const sheet = page.getByRole('dialog', { name: 'Delivery' });
    await sheet.getByText('A test is sent once: send another when this is mended.').waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Actions for this endpoint' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByLabel('URL').fill(`${receiver.url}/moved`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: `${receiver.url}/moved` }).waitFor();
    await page.locator('tbody button').first().click();
    await sheet.getByText('where the endpoint was then').waitFor();
    await sheet.getByRole('button', { name: 'Copy as curl' }).click();
    await copied(page, `curl -i '${receiver.url}'`);
    await setting.inspect('webhook-delivery-elsewhere');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
  });

  test('has a log of which only the newest page is asked for again and again', async () => {
    const { page } = setting;
    const address = page.url();
    await submitTestimonial();
    await page.goto(address);
    const id = new URL(page.url()).pathname.split('/').at(-1);
    await page.evaluate(async (endpoint) => {
      for (let count = 0; count < 30; count += 1) {
        await fetch('/api/trpc/webhooks.endpoints.sendTest', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ id: endpoint }),
        });
      }
    }, id);
    await page.reload();
    await page.getByRole('button', { name: 'Show older' }).click();
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length > 25);
    const rows = await page.locator('tbody tr').count();
    const isPoll = (url: string) => url.includes('webhooks.deliveries.list');
    const polled: string[] = [];
    page.on('request', (request) => {
      if (isPoll(request.url())) polled.push(decodeURIComponent(request.url()));
    });
    // Nothing of the newest page is pending by then: it is looked every 15 seconds.
    const poll = () => page.waitForRequest((request) => isPoll(request.url()));
    await poll();
    await poll();
    expect(polled.filter((url) => url.includes('"cursor":"'))).toEqual([]);
    await eventually(async () => expect(await page.locator('tbody tr').count()).toBe(rows));
  });

  test('is deleted, and not asked for while nobody knows yet that it is', async () => {
    const { page, inspect } = setting;
    await page.route(/webhooks\.endpoints\.delete/, async (route) => {
      const answer = await route.fetch();
      // Longer than it takes to look at the endpoint anew.
      await sleep(6_000);
      await route.fulfill({ response: answer });
    });
    await page.getByRole('button', { name: 'Actions for this endpoint' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor();
    await inspect('webhook-delete');
    await page.getByRole('button', { name: 'Delete endpoint' }).click();
    await page.getByRole('heading', { name: 'Add your first endpoint' }).waitFor();
  });
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('no page asked another host for anything, or complained', () => {
  // The browser's own words for the URL that was refused, unless it was sent with others.
  expect(watchBesides('status of 400', setting.watch)).toEqual({ foreign: [], complaints: [] });
});
