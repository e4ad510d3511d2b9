import { z } from 'zod';
import { text } from '../../api/fields';
import { addressRange } from '../../api/forwarded';
import type { Actor } from '../../audit/actor';
import { mailSettings } from '../../mail/settings';
import { readLink } from '../links';
import { queueReset } from '../mails';
import { newPassword, resetPassword } from '../password';
import { linkPurpose } from '../schema';
import { done, readBody, refusal, throttle } from './answers';
import { inHashingTurn } from './hashing-turns';
import type { Try } from './throttle';

/** A new password for who does not know the old one, by a link in a mail. */

const address = z.object({ email: text(1, 320) });
export const linkToken = z.string().min(1).max(100);
const look = z.object({ token: linkToken, purpose: linkPurpose });
const reset = z.object({
  token: linkToken,
  newPassword,
  switchOffAll: z.boolean().optional(),
});

export const noMails = () =>
  refusal(403, 'NO_MAILS', 'This service sends no mails. Ask whoever runs it.');

export const linkExpired = () =>
  refusal(
    410,
    'LINK_EXPIRED',
    'This link has expired or was used, or a later one took its place. Open the latest, or ask for a new one.',
  );

/** The answer, and what is done before it, are the same whether the address has an account or not. */
export async function requestPasswordReset(request: Request): Promise<Response> {
  const body = await readBody(request, address);
  if (!mailSettings()) return noMails();
  const { headers } = request;
  await throttle({ action: 'request-reset', account: body.email, headers });
  await queueReset(body.email);
  return done();
}

/** Whether a link is good, so that nobody thinks of a password in vain. */
export async function checkLink(request: Request): Promise<Response> {
  const body = await readBody(request, look);
  await throttle({ action: 'use-link', headers: request.headers });
  return (await readLink(body.token, body.purpose)) ? done() : linkExpired();
}

export async function resetByLink(request: Request): Promise<Response> {
  const body = await readBody(request, reset);
  const tried: Try = { action: 'use-link', headers: request.headers };
  await throttle(tried);
  const { token, newPassword, switchOffAll } = body;
  const person: Actor = {
    type: 'session',
    sessionId: undefined,
    address: addressRange(request.headers),
  };
  const everythingOffBy = switchOffAll ? person : undefined;
  // Whoever has no good link is told so before anything is hashed.
  const isSet = await inHashingTurn({ request, isKnown: true, tried }, () =>
    resetPassword(token, newPassword, { everythingOffBy }),
  );
  return isSet ? done() : linkExpired();
}
