import { type Job, nothingStarted } from '../background/job';
import { createPlaces } from '../background/places';
import { log } from '../logging/log';
import type { MailKind, MailWriter, Message } from './kinds';
import {
  type ClaimedMail,
  claimMails,
  mailLimits,
  noteProblem,
  noteSent,
  removeMail,
} from './queue';
import { sendMail } from './send';
import { mailSettings } from './settings';
import { smtpFailureOf, timedOut } from './smtp-failure';

/**
 * Sends the mails that are due. A server that is away delays them and nothing else; a process that
 * is killed between sending one and noting it sends it once more, with the same Message-ID.
 */
export function createMailJob(writers: Record<MailKind, MailWriter>): Job {
  const writersByKind = new Map<string, MailWriter>(Object.entries(writers));
  return {
    name: 'mails',
    begin({ now, deadlineAt = Number.POSITIVE_INFINITY, onDone }) {
      const places = createPlaces(mailLimits.atOnce, onDone);
      const stop = new AbortController();
      return {
        async start() {
          const room = places.free();
          const isLate = Date.now() + mailLimits.timeoutMs >= deadlineAt;
          if (room === 0 || isLate || stop.signal.aborted || !mailSettings()) return nothingStarted;
          const claimed = await claimMails(room, now);
          for (const mail of claimed) places.take(() => deliver(mail, writersByKind, stop.signal));
          return { started: claimed.length, isFull: claimed.length === room };
        },
        underWay: places.taken,
        // Looked for with every turn of other work; a try again may be late by a few seconds.
        nextDueInMs: async () => undefined,
        abort: () => stop.abort(),
        settled: places.settled,
      };
    },
  };
}

async function deliver(
  mail: ClaimedMail,
  writersByKind: Map<string, MailWriter>,
  stop: AbortSignal,
): Promise<void> {
  const settings = mailSettings();
  const write = writersByKind.get(mail.kind);
  // Queued by a newer version, which will send it, or let go by the hour.
  if (!settings || !write) return;
  const { id, kind, attempts } = mail;
  let message: Message | undefined;
  try {
    message = await write(mail, settings.publicUrl);
    if (!message) return await removeMail(id);
  } catch (error) {
    // No problem of the mail server's, of which its account would be told.
    log().warn({ err: error, id, kind, attempts }, 'mail not written yet');
    return;
  }
  try {
    await sendMail(id, message, settings, stop);
  } catch (error) {
    // Without the error's text, in which servers repeat the recipient.
    const failure = smtpFailureOf(error);
    const { code = 'UNKNOWN', originalCode: cause, responseCode, reason, command } = failure;
    const why = (cause ?? code) === timedOut ? ': the server did not answer in time' : '';
    const facts = { id, kind, attempts, code, cause, responseCode, reason, command };
    log().warn(facts, `mail not sent${why}`);
    // No refusal is final: most are about the sender, which whoever runs the service can mend.
    await noteProblem(id, code).catch((unnoted: unknown) => {
      log().warn({ err: unnoted, id }, 'outcome of a mail not noted');
    });
    return;
  }
  await noteAsSent(mail);
}

/**
 * A database that fails for a moment must not have it sent twice. For more than another try there is no
 * time: the next process would come.
 */
async function noteAsSent(mail: ClaimedMail): Promise<void> {
  try {
    await noteSent(mail).catch(() => noteSent(mail));
  } catch (error) {
    const { id, kind } = mail;
    log().warn(
      { err: error, id, kind },
      'a mail that was sent is not noted, and is sent once more',
    );
  }
}
