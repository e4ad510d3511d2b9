import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { serviceLimits } from '@/src/cli/doctor/services';
import { provideEnv } from '@/src/env';
import { s3Limits } from '@/src/storage/s3';
import { listen } from '../helpers/listening';
import { openMailServer, stopMailServers } from '../mail/mail-server';
import { untrusted } from '../outbound/certificate';
import { sendWithoutEnd } from '../outbound/servers';
import { doctor, withFewSettings } from './doctor';

withFewSettings();

const servers: Server[] = [];

// No request is over by its time: a file that was stored has three seconds to be read.
beforeEach(() => {
  jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
});

afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await stopMailServers();
  jest.restoreAllMocks();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  return `http://127.0.0.1:${await listen(server)}`;
}

test('a speech-to-text service is asked for its models', async () => {
  const base = await serve((request, response) => {
    const isKnown = request.headers.authorization === 'Bearer sk-right-key';
    response.statusCode = isKnown ? 200 : 401;
    const models = request.url?.startsWith('/v1/models') ? { data: [{ id: 'whisper-1' }] } : {};
    response.end(JSON.stringify(models));
  });
  const look = async (settings: Record<string, string>) => {
    provideEnv({ OPENAI_BASE_URL: `${base}/v1`, ...settings });
    return (await doctor()).about('transcription')[0];
  };
  expect(await look({ OPENAI_API_KEY: 'sk-right-key' })).toMatch(/^ok .* has whisper-1$/);
  const versioned = { OPENAI_BASE_URL: `${base}/v1?api-version=1` };
  expect(await look({ OPENAI_API_KEY: 'sk-right-key', ...versioned })).toMatch(/ has whisper-1$/);
  expect(await look({ OPENAI_API_KEY: 'sk-wrong-key' })).toMatch(
    /^MEND .* refuses the key \(401\)$/,
  );
  const other = { OPENAI_API_KEY: 'sk-right-key', TRANSCRIPTION_MODEL: 'other' };
  expect(await look(other)).toMatch(/^MEND .* does not have other$/);
  provideEnv({ TRANSCRIPTION_MODEL: '' });
});

const bucket = {
  S3_BUCKET: 'files',
  S3_ACCESS_KEY_ID: 'the-access-key',
  S3_SECRET_ACCESS_KEY: 'the-secret-key',
};

test('into a bucket it stores a file, which all can read and it removes, and of a refusal it tells the code alone', async () => {
  const asked: string[] = [];
  let status = 200;
  let isPublic = true;
  let mayRemove = true;
  const endpoint = await serve((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.method === 'GET' && isPublic) return response.end('written by npm run doctor');
    const isRefused = request.method === 'GET' || (request.method === 'DELETE' && !mayRemove);
    response.statusCode = isRefused ? 403 : status;
    response.end('<Error><Code>AccessDenied</Code><Key>the-access-key</Key></Error>');
    request.resume();
  });
  provideEnv({ ...bucket, S3_ENDPOINT: endpoint });
  expect((await doctor()).about('bucket')).toEqual([expect.stringMatching(/^ok /)]);
  expect(asked.map((line) => line.split(' ')[0])).toEqual(['PUT', 'GET', 'DELETE']);
  expect(new Set(asked.map((line) => line.split(' ')[1])).size).toBe(1);
  isPublic = false;
  expect((await doctor()).about('bucket')).toEqual([
    `MEND  bucket: a file that was stored cannot be read at its public address: ${endpoint} answers 403`,
    expect.stringContaining('Let the bucket be read in public'),
  ]);
  expect(asked.at(-1)).toMatch(/^DELETE/);
  mayRemove = false;
  const unread = expect.stringContaining('cannot be read at its public address');
  expect((await doctor()).about('bucket')[0]).toEqual(unread);
  status = 403;
  const { about, text } = await doctor();
  expect(about('bucket')[0]).toBe('MEND  bucket: it answers 403 AccessDenied');
  expect(text).not.toMatch(/the-(access|secret)-key/);
});

test.each([
  [403, 'RequestTimeTooSkewed', 'Set the clock of this machine right.'],
  [404, 'NoSuchBucket', 'Make that bucket, or name another in S3_BUCKET.'],
  [403, 'SignatureDoesNotMatch', 'Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY'],
  [503, 'SlowDown', 'It is busy or away'],
  [400, 'InvalidBucketName', 'Check the variables S3_…'],
])('of a bucket that answers %i %s it tells what to do', async (status, code, mend) => {
  const endpoint = await serve((request, response) => {
    request.resume();
    response.statusCode = status;
    response.end(`<Error><Code>${code}</Code></Error>`);
  });
  jest.replaceProperty(s3Limits, 'retryPausesMs', []);
  provideEnv({ ...bucket, S3_ENDPOINT: endpoint });
  expect((await doctor()).about('bucket')).toEqual([
    `MEND  bucket: it answers ${status} ${code}`,
    expect.stringContaining(`→ ${mend}`),
  ]);
});

test('of a bucket that is not reached it tells to check its address', async () => {
  jest.replaceProperty(s3Limits, 'retryPausesMs', []);
  // No test is given a port that low; at port 1 fetch would not even ask.
  provideEnv({ ...bucket, S3_ENDPOINT: 'http://127.0.0.1:2' });
  expect((await doctor()).about('bucket')[1]).toContain('→ Check S3_ENDPOINT');
});

test('of a service that answers without end no more is read than is of use', async () => {
  jest.replaceProperty(serviceLimits, 'modelsBytes', 100_000);
  const left: Promise<void>[] = [];
  const origin = await serve((request, response) => {
    request.resume();
    if (request.method !== 'GET') return void response.end();
    left.push(new Promise((resolve) => response.once('close', resolve)));
    if (request.url?.startsWith('/files/')) response.write('written by npm run doctor');
    sendWithoutEnd(response);
  });
  provideEnv({ ...bucket, S3_ENDPOINT: origin, OPENAI_BASE_URL: origin });
  const { about } = await doctor();
  expect(about('transcription')[0]).toContain('does not list its models (200)');
  expect(about('bucket')[0]).toContain('cannot be read at its public address');
  expect(left).toHaveLength(2);
  await Promise.all(left);
});

/** Has a mail server that begins so with whoever connects to it. Resolves to its port. */
function serveMail(begin: (socket: Socket) => void): Promise<number> {
  const server = createTcpServer((socket) => begin(socket.on('error', () => {})));
  servers.push(server);
  return listen(server);
}

/** What is found of the mail server at that address, and all that is printed. */
async function lookAtMails(SMTP_URL: string) {
  provideEnv({ SMTP_URL, MAIL_FROM: 'me@example.com' });
  const { text, about } = await doctor();
  return { text, found: about('mails') };
}

test.each([
  ['421 4.7.0 too many connections', /→ It asks to come again later/],
  ['554 5.7.1 blocked', /→ It takes nothing from this machine/],
])('a mail server that begins with %s is reached, and says so', async (greeting, mend) => {
  const port = await serveMail((socket) => socket.end(`${greeting}\r\n`));
  const { found } = await lookAtMails(`smtp://127.0.0.1:${port}`);
  expect(found).toEqual([
    expect.stringContaining(`does not let us in (EPROTOCOL, ${greeting.slice(0, 3)})`),
    expect.stringMatching(mend),
  ]);
});

test('a mail server that refuses the login must be mended', async () => {
  const port = await serveMail((socket) => {
    socket.write('220 here\r\n');
    socket.on('data', (data) => {
      const isGreeting = /^EHLO/.test(String(data));
      socket.write(isGreeting ? '250-here\r\n250 AUTH PLAIN\r\n' : '535 not hunter2\r\n');
    });
  });
  const url = `smtp://me:hunter2@127.0.0.1:${port}?ignoreTLS=true`;
  const { text, found } = await lookAtMails(url);
  expect(found).toEqual([
    expect.stringMatching(/^MEND .* does not let us in \(EAUTH, 535\)$/),
    expect.stringMatching(/→ Check user and password in SMTP_URL/),
  ]);
  expect(text).not.toMatch(/hunter2/);
});

test('a mail server without TLS must be mended, as nothing is sent to it', async () => {
  const { port } = await openMailServer();
  // This machine, under a name that is none of those known to be.
  const relay = `smtp://[::ffff:127.0.0.1]:${port}`;
  const refused = await lookAtMails(relay);
  expect(refused.found).toEqual([
    expect.stringMatching(/^MEND .* does not let us in \(ETLS/),
    expect.stringMatching(/→ Without TLS nothing is sent/),
  ]);
  const taken = await lookAtMails(`${relay}?ignoreTLS=true`);
  expect(taken.found).toEqual([
    expect.stringMatching(
      /^ok .* lets us in; whether it takes them from me@example\.com, "Send a test mail"/,
    ),
  ]);
});

test('a mail server that says nothing is told from one that refuses', async () => {
  jest.replaceProperty(serviceLimits, 'answerMs', 100);
  const port = await serveMail(() => {});
  const { found } = await lookAtMails(`smtp://127.0.0.1:${port}`);
  expect(found).toEqual([
    expect.stringMatching(/^MEND .* does not answer in time$/),
    expect.stringMatching(/→ Check SMTP_URL/),
  ]);
});

test('a mail server that gives up TLS is told from one that begins without', async () => {
  // As one whose key is of no use: fatal, internal error. RFC 8446 (6).
  const alert = Buffer.from([21, 3, 3, 0, 2, 2, 80]);
  const port = await serveMail((socket) => socket.once('data', () => socket.end(alert)));
  const { found } = await lookAtMails(`smtps://127.0.0.1:${port}`);
  expect(found).toEqual([
    expect.stringMatching(/^MEND .* does not let us in \(ERR_SSL_\w+_ALERT_INTERNAL_ERROR\)$/),
    expect.stringMatching(/→ It speaks TLS there and gives up/),
  ]);
});

test('a mail server whose certificate nobody signed is told from one that is not reached', async () => {
  const { port } = await openMailServer({ ...untrusted, secure: true });
  const look = async (url: string) => (await lookAtMails(url)).found;
  expect(await look(`smtps://127.0.0.1:${port}`)).toEqual([
    expect.stringMatching(/^MEND .* does not let us in \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/),
    expect.stringMatching(/→ .* certificate .* NODE_EXTRA_CA_CERTS/),
  ]);
  const { port: other } = await openMailServer();
  expect(await look(`smtps://127.0.0.1:${other}`)).toEqual([
    expect.stringMatching(/^MEND .* does not let us in \(ERR_SSL_WRONG_VERSION_NUMBER\)$/),
    expect.stringMatching(/→ .* smtp:\/\//),
  ]);
  await stopMailServers();
  expect(await look(`smtps://127.0.0.1:${other}`)).toEqual([
    expect.stringMatching(/^MEND .* does not let us in \(ECONNREFUSED\)$/),
    expect.stringMatching(/→ Check SMTP_URL, and that this machine may reach/),
  ]);
});

test('a bucket that wants another region is told with its name', async () => {
  const endpoint = await serve((_request, response) => {
    response.statusCode = 400;
    response.end(
      '<Error><Code>AuthorizationHeaderMalformed</Code><Message>The authorization header is ' +
        "malformed; the region 'auto' is wrong; expecting 'eu-north-1'</Message>" +
        '<RequestId>tx016428e79f344fe993e95-006b087593</RequestId><Region>eu-north-1</Region></Error>',
    );
  });
  provideEnv({ ...bucket, S3_ENDPOINT: endpoint });
  expect((await doctor()).about('bucket')).toEqual([
    'MEND  bucket: it answers 400 AuthorizationHeaderMalformed',
    expect.stringMatching(/→ Set S3_REGION=eu-north-1\.$/),
  ]);
});
