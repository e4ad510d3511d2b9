import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Env } from '../../env';
import { reasonOf } from '../../error-parts';
import { withTemporaryFolder } from '../../file-system/temporary-folder';
import { mailTransport } from '../../mail/send';
import { smtpFailureOf, timedOut } from '../../mail/smtp-failure';
import { readStart } from '../../outbound/answer-start';
import { isLocal, publicBase, storage } from '../../storage/storage';
import { speechToText } from '../../transcription/speech-to-text';
import { addressBelow } from '../../urls/address-below';
import { bad, type Check, doubtful, type Finding, type Mends, mendBy, well } from './finding';
import { lookAtRedis } from './redis';

export const serviceLimits = {
  /** How long a service may take to answer, each time it is asked. */
  answerMs: 8_000,
  /** A list of models is longer where a service stands for many. */
  modelsBytes: 4 * 1024 * 1024,
};
const reachMs = 3_000;

/** Stands in the file that is stored. */
const written = 'written by npm run doctor';

const modelsSchema = z.object({ data: z.array(z.looseObject({ id: z.string() })) });

export function serviceChecks(settings: Env): Check[] {
  return [
    { about: 'mails', look: () => lookAtMails(settings) },
    { about: 'transcription', look: lookAtTranscription },
    { about: 'bucket', look: lookAtBucket },
    { about: 'Redis', look: () => lookAtRedis(settings, serviceLimits.answerMs) },
  ];
}

async function lookAtMails({ SMTP_URL, MAIL_FROM, PUBLIC_URL }: Env): Promise<Finding> {
  const about = 'mails';
  if (!SMTP_URL) {
    const mend = 'Set SMTP_URL and MAIL_FROM, and who forgets a password gets a link.';
    return doubtful(about, 'none are sent', mend);
  }
  const { host } = new URL(SMTP_URL);
  const transport = mailTransport(SMTP_URL, PUBLIC_URL, serviceLimits.answerMs);
  try {
    await transport.verify();
    // Whether it takes one, from whom and to where, it says to a mail alone.
    const trial = '"Send a test mail" on the account page tells';
    return well(about, `${host} lets us in; whether it takes them from ${MAIL_FROM}, ${trial}`);
  } catch (error) {
    const { code, originalCode = code, responseCode } = smtpFailureOf(error);
    const facts = [originalCode, responseCode].filter(Boolean);
    const says =
      originalCode === timedOut
        ? 'does not answer in time'
        : `does not let us in (${facts.join(', ')})`;
    return bad(about, `${host} ${says}`, mendBy(mendSmtp, facts.join(' '), reachSmtp));
  } finally {
    transport.close();
  }
}

const reachSmtp = 'Check SMTP_URL, and that this machine may reach the server at that port.';

/** By nodemailer's code, or the system's or TLS's, and the server's. */
const mendSmtp: Mends = [
  [/ 4\d\d$/, 'It asks to come again later: look once more, and see its log where that lasts.'],
  [/^EPROTOCOL 5/, 'It takes nothing from this machine: its log says why.'],
  [/^EAUTH/, 'Check user and password in SMTP_URL.'],
  [
    /^ETLS/,
    'Without TLS nothing is sent: take a port with STARTTLS or smtps://, see to a certificate of ' +
      'that name, or add ?ignoreTLS=true to SMTP_URL where the network is your own.',
  ],
  [
    /CERT|VERIFY/,
    'Name the server in SMTP_URL as its certificate does, and see to one that is signed; where an ' +
      'authority of your own signed it, start with NODE_EXTRA_CA_CERTS=/path/to/its.pem.',
  ],
  [/^ERR_SSL_.*ALERT/, 'It speaks TLS there and gives up: its log says why.'],
  [/^ERR_SSL_/, 'That port begins without TLS: take smtp:// for it, or smtps:// with another.'],
  [/^ETIMEDOUT/, `${reachSmtp} One that begins with TLS, as 465 does, wants smtps://.`],
];

async function lookAtTranscription(): Promise<Finding> {
  const about = 'transcription';
  const service = speechToText();
  if (!service) {
    const mend = 'Set OPENAI_API_KEY, or OPENAI_BASE_URL, if videos are to be transcribed.';
    return doubtful(about, 'videos are not transcribed', mend);
  }
  const { baseUrl, apiKey, model } = service;
  const { host } = new URL(baseUrl);
  const signal = AbortSignal.timeout(serviceLimits.answerMs);
  let response: Response;
  try {
    response = await fetch(addressBelow(baseUrl, '/models'), {
      headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {},
      signal,
    });
  } catch (error) {
    const mend = 'Check OPENAI_BASE_URL, and that this machine may reach it.';
    return bad(about, `${host} is not reached: ${reasonOf(error)}`, mend);
  }
  const { status } = response;
  if (status === 401 || status === 403) {
    return bad(about, `${host} refuses the key (${status})`, 'Set another OPENAI_API_KEY.');
  }
  const models = await modelsOf(response, signal).catch(() => undefined);
  if (status !== 200 || !models) {
    const mend = 'Create a testimonial with a short video, and see the log.';
    return doubtful(about, `${host} does not list its models (${status})`, mend);
  }
  if (models.data.some(({ id }) => id === model)) return well(about, `${host} has ${model}`);
  return bad(about, `${host} does not have ${model}`, 'Set TRANSCRIPTION_MODEL to one it has.');
}

async function modelsOf(response: Response, signal: AbortSignal) {
  const { text } = await readStart(response, { maxBytes: serviceLimits.modelsBytes, signal });
  return modelsSchema.parse(JSON.parse(text));
}

/** Stores a small file, reads it as everybody does, and removes it. */
async function lookAtBucket(): Promise<Finding> {
  const about = 'bucket';
  if (isLocal()) return well(about, 'none: uploaded files are kept in the data folder');
  const key = `doctor/${randomUUID()}.txt`;
  try {
    await withTemporaryFolder(async (folder) => {
      const path = join(folder, 'file');
      await writeFile(path, written);
      await storage().put(key, path, 'text/plain');
    });
    const unread = await lookAtAddress(`${publicBase()}${key}`);
    await storage()
      .remove(key, AbortSignal.timeout(serviceLimits.answerMs))
      // The first thing that is wrong, of two.
      .catch((error: unknown) => {
        if (!unread) throw error;
      });
    return unread ?? well(about, 'a file was stored, read at its public address, and removed');
  } catch (error) {
    const [, status] = /answered (\d+)/.exec(reasonOf(error)) ?? [];
    const [, code] = /<Code>(\w+)<\/Code>/.exec(reasonOf(error)) ?? [];
    const says = status
      ? `it answers ${[status, code].filter(Boolean).join(' ')}`
      : reasonOf(error);
    const [, region] = /<Region>([\w-]+)<\/Region>/.exec(reasonOf(error)) ?? [];
    const mend = region ? `Set S3_REGION=${region}.` : mendBy(mendBucket, says, checkBucket);
    return bad(about, says, mend);
  }
}

const checkBucket = 'Check the variables S3_…, and that the key may write and delete there.';

/** By the status and code of its answer, where there is one. */
const mendBucket: Mends = [
  [/TimeTooSkewed/, 'Set the clock of this machine right.'],
  [/NoSuchBucket/, 'Make that bucket, or name another in S3_BUCKET.'],
  [
    /SignatureDoesNotMatch|InvalidAccessKeyId/,
    'Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, and that they are of S3_ENDPOINT.',
  ],
  [
    /^it answers (408|429|50[0234])/,
    'It is busy or away: look again, and see its log where that lasts.',
  ],
  [/^(?!it answers)/, 'Check S3_ENDPOINT, and that this machine may reach it.'],
];

/** What is wrong where nobody can read the file that was just stored. */
async function lookAtAddress(url: string): Promise<Finding | undefined> {
  const about = 'bucket';
  const { origin } = new URL(url);
  try {
    const signal = AbortSignal.timeout(reachMs);
    const response = await fetch(url, { signal });
    const { text, isWhole } = await readStart(response, { maxBytes: written.length, signal });
    if (isWhole && text === written) return undefined;
    const says = `a file that was stored cannot be read at its public address: ${origin} answers ${response.status}`;
    const mend =
      'Let the bucket be read in public, or name the CDN in front of it in STORAGE_PUBLIC_URL.';
    return bad(about, says, mend);
  } catch (error) {
    const says = `${origin}, where uploaded files are read, is not reached: ${reasonOf(error)}`;
    const mend =
      'Check STORAGE_PUBLIC_URL. It may be well, where only this machine may not reach it.';
    return doubtful(about, says, mend);
  }
}
