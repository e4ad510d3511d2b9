import { provideEnv } from '@/src/env';
import { log } from '@/src/logging/log';
import { withOwnDatabase } from '../helpers/own-database';
import { untrusted } from '../outbound/certificate';
import { openMailServer } from './mail-server';
import { closeMailServers, drainMails, later, queue, setMailServer, stored } from './mailing';

withOwnDatabase();
afterEach(closeMailServers);

test('a certificate that nobody signed is refused', async () => {
  const server = await openMailServer({ ...untrusted, secure: true });
  setMailServer(server);
  provideEnv({ SMTP_URL: `smtps://localhost:${server.port}` });
  const id = await queue();
  await drainMails();
  expect(server.received).toEqual([]);
  expect(await stored(id)).toMatchObject({
    problem: expect.stringMatching(/^(ESOCKET|ETLS)$/),
  });
});

test('of a server on this machine that turns to TLS no certificate is asked for, which it may do without', async () => {
  const server = await openMailServer({ ...untrusted, disabledCommands: ['AUTH'] });
  setMailServer(server);
  const id = await queue();
  const warnings: unknown[] = [];
  jest.spyOn(log(), 'warn').mockImplementation((line: unknown) => void warnings.push(line));
  // This machine too, under a name that is none of those known to be.
  provideEnv({ SMTP_URL: `smtp://[::ffff:127.0.0.1]:${server.port}` });
  await drainMails();
  expect(server.received).toEqual([]);
  // What stands behind nodemailer's code is told: else it might as well be a closed port.
  expect(warnings).toEqual([
    expect.objectContaining({ id, code: 'ESOCKET', cause: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
  ]);
  provideEnv({ SMTP_URL: `smtp://127.0.0.1:${server.port}` });
  await drainMails(later(100));
  expect(server.received).toHaveLength(1);
  await queue();
  provideEnv({ SMTP_URL: `smtp://localhost:${server.port}` });
  await drainMails();
  expect(server.received).toHaveLength(2);
});

test('another machine is told nothing without it, but where the address says so', async () => {
  const server = await openMailServer();
  setMailServer(server);
  const id = await queue();
  // This machine too, under a name that is none of those known to be.
  const relay = `smtp://[::ffff:127.0.0.1]:${server.port}`;
  provideEnv({ SMTP_URL: relay });
  await drainMails();
  expect(server.received).toEqual([]);
  expect(await stored(id)).toMatchObject({ attemptCount: 1, problem: 'ETLS' });
  provideEnv({ SMTP_URL: `${relay}?ignoreTLS=true` });
  await drainMails(later(100));
  expect(server.received).toHaveLength(1);
});
