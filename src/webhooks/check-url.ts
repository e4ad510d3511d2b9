import { ApiError } from '../api/errors';
import { hasLength } from '../api/fields';
import { env } from '../env';
import { resolveByDns } from '../outbound/address';
import { RefusedUrlError, readUrl, refusePrivateHost } from '../outbound/url';
import { webhookLimits } from './limits';

/** Whether events may be sent there. @throws ApiError INVALID_WEBHOOK_URL */
export async function checkUrl(text: string): Promise<void> {
  const allowPrivate = env().ALLOW_PRIVATE_NETWORK;
  try {
    if (!hasLength(text, 0, webhookLimits.urlCharacters)) {
      throw new RefusedUrlError(`The URL is over ${webhookLimits.urlCharacters} characters long.`);
    }
    // The parser drops some of it without a word, and what is stored would not be what is called.
    if (/[\s\p{Cc}]/u.test(text)) {
      throw new RefusedUrlError('The URL must not contain white space.');
    }
    const url = readUrl(text, { allowPrivate });
    if (!allowPrivate) await refusePrivateHost(url, resolveByDns);
  } catch (error) {
    if (!(error instanceof RefusedUrlError)) throw error;
    throw new ApiError('INVALID_WEBHOOK_URL', { message: error.message });
  }
}
