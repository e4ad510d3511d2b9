import type { IncomingMessage } from 'node:http';
import { env } from '../env';
import { OutboundError, type OutboundErrorKind } from '../outbound/errors';
import { openOutbound } from '../outbound/stream';
import { type Container, detectContainer } from '../storage/container';
import { receiveFile } from '../storage/receive-file';
import { watchRate } from '../storage/transfer-rate';
import { type TranscriptionLimits, transcriptionLimits } from './limits';
import { NotTranscribed } from './not-transcribed';

export type DownloadedMedia = { path: string; sizeBytes: number; container: Container };

/** Pages, documents and playlists: what stands behind a link that is no direct one. */
const indirectTypes = new RegExp(
  '^(?:text/(?:html|xml)|application/(?:xhtml[+]xml|json|xml|dash[+]xml|vnd[.]apple[.]mpegurl|' +
    'x-mpegurl)|audio/(?:x-)?mpegurl|[^/]+/[^/]+[+](?:json|xml))$',
);

const redirectStatuses = [301, 302, 303, 307, 308];

/** Of the link, beside those from 500 on: too slow, too early, too many. */
const passingStatuses = [408, 425, 429];

/** What the link itself is to blame for. */
const lastingKinds: string[] = ['url_refused', 'address_refused'] satisfies OutboundErrorKind[];

/**
 * Downloads the file that a link leads to, where it leads straight to a media file. What it is
 * follows from what is served, status, content type and first bytes, and not from the link: those
 * of presigned files have no ending and refuse HEAD.
 * @throws NotTranscribed where it is no direct link, too large, too slow, or cannot be had; what the file
 *   at `path` cannot be written for
 */
export async function downloadMedia(
  url: string,
  path: string,
  signal: AbortSignal,
  limits: TranscriptionLimits = transcriptionLimits,
): Promise<DownloadedMedia> {
  const tooSlow = new AbortController();
  const rate = watchRate(limits.downloadRate, () => {
    tooSlow.abort(new NotTranscribed('the link sends too slowly', { mayPass: true }));
  });
  const either = AbortSignal.any([signal, tooSlow.signal]);
  try {
    const answer = await follow(url, either, limits);
    try {
      const { type, sizeBytes } = await receiveFile(arriving(answer, rate.count), path, {
        // Counted: a Content-Length may lie or be missing.
        maxBytes: limits.downloadBytes,
        tooLarge: () => new NotTranscribed(tooLarge(limits)),
        typeOf: containerOf,
      });
      return { path, sizeBytes, container: type };
    } finally {
      // Left early, this cuts the connection.
      answer.destroy();
    }
  } catch (error) {
    if (either.aborted) throw either.reason;
    throw error instanceof OutboundError ? unreadable(error.kind, error) : error;
  } finally {
    rate.stop();
  }
}

function unreadable(reason: string, cause: unknown): NotTranscribed {
  const mayPass = !lastingKinds.includes(reason);
  return new NotTranscribed(`the link cannot be read: ${reason}`, { mayPass, cause });
}

/** The answer at the end of the redirects; each address on the way is guarded. */
async function follow(
  url: string,
  signal: AbortSignal,
  limits: TranscriptionLimits,
): Promise<IncomingMessage> {
  let address = url;
  for (let redirects = 0; redirects <= limits.redirects; redirects++) {
    const answer = await openOutbound({
      url: address,
      headers: { accept: 'video/*, audio/*;q=0.9, */*;q=0.5', 'user-agent': 'Testimonials' },
      allowPrivate: env().ALLOW_PRIVATE_NETWORK,
      signal,
    });
    const { statusCode: status = 0, headers } = answer;
    if (!redirectStatuses.includes(status)) {
      const refusal = refusalOf(status, headers, limits);
      if (refusal === undefined) return answer;
      answer.destroy();
      const mayPass = passingStatuses.includes(status) || status >= 500;
      throw new NotTranscribed(refusal, { mayPass, retryAfter: headers['retry-after'] });
    }
    answer.destroy();
    if (headers.location === undefined || !URL.canParse(headers.location, address)) {
      throw new NotTranscribed('the link redirects to nowhere');
    }
    address = new URL(headers.location, address).href;
  }
  throw new NotTranscribed(`the link redirects more than ${limits.redirects} times`);
}

/** Why an answer is no media file, as far as its head tells. */
function refusalOf(
  status: number,
  headers: IncomingMessage['headers'],
  limits: TranscriptionLimits,
): string | undefined {
  if (status !== 200) return `the link answers with status ${status}`;
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (indirectTypes.test(type)) return `the link leads to ${type}, not to a media file`;
  const encoding = headers['content-encoding'] ?? 'identity';
  // Asked for nothing of the kind; unpacked, a small answer can be of any size.
  if (encoding !== 'identity') return `the link is served with encoding ${encoding}`;
  if (Number(headers['content-length'] ?? 0) > limits.downloadBytes) return tooLarge(limits);
  return undefined;
}

function tooLarge({ downloadBytes }: TranscriptionLimits): string {
  return `the file is larger than ${downloadBytes / 1024 / 1024} MB`;
}

/** What fails beside it, as where the disk is full, is no fault of the link. */
async function* arriving(
  answer: AsyncIterable<Buffer>,
  count: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of answer) {
      count(chunk.length);
      yield chunk;
    }
  } catch (cause) {
    throw unreadable('it breaks off', cause);
  }
}

function containerOf(start: Uint8Array): Container {
  const container = detectContainer(start);
  if (!container) throw new NotTranscribed('the link leads to no media file of a known kind');
  return container;
}
