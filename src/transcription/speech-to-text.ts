import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { toStorable } from '../api/fields';
import { requireFewValues } from '../api/json-values';
import { readRetryAfter } from '../background/backoff';
import { env } from '../env';
import { reasonOf } from '../error-parts';
import { readStart } from '../outbound/answer-start';
import { type StreamedBody, withFileBody } from '../outbound/file-body';
import { singleton } from '../singleton';
import { addressBelow } from '../urls/address-below';
import { transcriptionLimits as limits } from './limits';
import { NotTranscribed } from './not-transcribed';

/** A service that speaks OpenAI's audio API. */
export type SpeechToText = { baseUrl: string; apiKey: string | undefined; model: string };

/** One file for it, small enough. It goes by the ending of the name, so that must be a real one. */
export type AudioFile = { path: string; fileName: string; contentType: string };

const openAiUrl = 'https://api.openai.com/v1';

/** Pauses before the tries after the first; a Retry-After header may lengthen them. */
const retryDelaysMs = [500, 1_000, 2_000, 4_000, 8_000];

/** Where a service asks for a longer rest, the try is given up, and its places with it. */
const longestPauseMs = 20_000;

/** Of what a service calls a language: as long as any tag of BCP 47 needs to be. */
const languageCharacters = 35;

/** How much of a refusal goes into the log. */
const maxReasonCharacters = 300;

/** The configured service; undefined where none is, or transcription is switched off. */
export function speechToText(): SpeechToText | undefined {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, TRANSCRIPTION_MODEL, TRANSCRIPTION_DISABLED } = env();
  // A server of one's own often wants no key: its address alone is a configuration too.
  if (TRANSCRIPTION_DISABLED || !(OPENAI_API_KEY || OPENAI_BASE_URL)) return undefined;
  return {
    baseUrl: OPENAI_BASE_URL ?? openAiUrl,
    apiKey: OPENAI_API_KEY,
    model: TRANSCRIPTION_MODEL,
  };
}

/** Waits; tests wait for nothing. */
type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

const pauseFor: Pause = (ms, signal) => sleep(ms, undefined, { signal });

/** What is said, and in which language where the service tells: its own word, or a tag of BCP 47. */
export type Transcript = { text: string; language: string | null };

/**
 * The transcript of the files, joined in their order; empty where nobody speaks. Each is tried a few
 * times more after 429, 5xx and network errors.
 * @throws NotTranscribed with the service's answer when it refuses one of them, at last or for long
 */
export async function transcribeAudio(
  service: SpeechToText,
  files: AudioFile[],
  signal: AbortSignal,
  { pause = pauseFor }: { pause?: Pause } = {},
): Promise<Transcript> {
  const parts: Transcript[] = [];
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const queue = [...files.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, file] = next;
      parts[index] = await transcribeFile(service, file, either, pause);
    }
  };
  try {
    await Promise.all(Array.from({ length: limits.partsAtOnce }, worker));
  } catch (error) {
    // A transcript with a hole in it would pass for a whole one.
    failure.abort(error);
    throw error;
  }
  const spoken = parts
    .map(({ text, language }) => ({ text: text.trim(), language }))
    .filter(({ text }) => text !== '');
  return {
    text: spoken.map(({ text }) => text).join(' '),
    language: spoken.find(({ language }) => language !== null)?.language ?? null,
  };
}

/** The verbose one tells the language; not every service and model knows it. */
type Format = 'verbose_json' | 'json';

/** The services, with their models, that have refused the verbose format. */
const plainServices = () => singleton('speech-to-text-plain', () => new Set<string>());

async function transcribeFile(
  service: SpeechToText,
  file: AudioFile,
  signal: AbortSignal,
  pause: Pause,
): Promise<Transcript> {
  const name = `${service.baseUrl} ${service.model}`;
  let format: Format = plainServices().has(name) ? 'json' : 'verbose_json';
  for (const delayMs of [...retryDelaysMs, undefined]) {
    let outcome = await tryOnce(service, file, format, signal);
    if (format === 'verbose_json' && 'reason' in outcome && outcome.isAboutFormat) {
      plainServices().add(name);
      format = 'json';
      outcome = await tryOnce(service, file, format, signal);
    }
    if ('text' in outcome) return outcome;
    const { reason, isTemporary, mayPass, retryAfter } = outcome;
    const askedMs = readRetryAfter(retryAfter, new Date()) ?? 0;
    if (!isTemporary || delayMs === undefined || askedMs > longestPauseMs) {
      throw new NotTranscribed(reason, { mayPass, retryAfter });
    }
    // It may have failed at a format that it does not know.
    if (outcome.isFault) format = 'json';
    await pause(Math.max(delayMs, askedMs), signal);
  }
  throw new Error('unreachable');
}

type Refusal = {
  reason: string;
  /** Worth another request within this try. */
  isTemporary: boolean;
  /** Worth another try at some later time. */
  mayPass: boolean;
  isFault: boolean;
  isAboutFormat: boolean;
  retryAfter: string | undefined;
};

const answer = z.object({ text: z.string(), language: z.string().optional().catch(undefined) });

async function tryOnce(
  service: SpeechToText,
  { path, fileName, contentType }: AudioFile,
  format: Format,
  signal: AbortSignal,
): Promise<Transcript | Refusal> {
  const form = new FormData();
  form.set('model', service.model);
  form.set('response_format', format);
  form.set('file', new Blob([], { type: contentType }), fileName);
  const { type, ...around } = await aroundFile(form);
  const ask = ({ headers, ...file }: StreamedBody) =>
    request(service, { ...file, headers: { ...headers, 'content-type': type } }, signal);
  return withFileBody(path, ask, around);
}

async function request(
  { baseUrl, apiKey }: SpeechToText,
  { headers, ...form }: { headers: Record<string, string> } & Omit<StreamedBody, 'headers'>,
  signal: AbortSignal,
): Promise<Transcript | Refusal> {
  let response: Response;
  let body: string;
  try {
    response = await fetch(addressBelow(baseUrl, '/audio/transcriptions'), {
      method: 'POST',
      headers: apiKey === undefined ? headers : { ...headers, authorization: `Bearer ${apiKey}` },
      ...form,
      // Followed, the POST would become a GET: the address in the configuration is wrong.
      redirect: 'manual',
      signal,
    });
    body = await readText(response, signal);
  } catch (error) {
    if (error instanceof NotTranscribed) throw error;
    signal.throwIfAborted();
    return {
      reason: `the speech-to-text service cannot be reached: ${reasonOf(error)}`,
      isTemporary: true,
      mayPass: true,
      isFault: true,
      isAboutFormat: false,
      retryAfter: undefined,
    };
  }
  const { status } = response;
  // Some services report failures with status 200.
  const parsed = response.ok ? answer.safeParse(parseJson(body)) : undefined;
  if (parsed?.success) {
    const { text, language = '' } = parsed.data;
    return { text, language: toStorable(language.trim(), languageCharacters) || null };
  }
  const isTemporary = status === 429 || status >= 500;
  return {
    reason: `the speech-to-text service answered ${status}: ${body.slice(0, maxReasonCharacters)}`,
    isTemporary,
    mayPass: isTemporary || isConfiguration(status),
    isFault: status >= 500,
    isAboutFormat: !response.ok && /response_format|verbose_json/i.test(body),
    retryAfter: response.headers.get('retry-after') ?? undefined,
  };
}

/** What stands before and after the file in a form whose last field is an empty one. RFC 7578. */
async function aroundFile(
  form: FormData,
): Promise<{ type: string; before: Uint8Array; after: Uint8Array }> {
  const whole = new Response(form);
  const bytes = Buffer.from(await whole.arrayBuffer());
  const end = bytes.lastIndexOf('\r\n--');
  return {
    type: whole.headers.get('content-type') ?? '',
    before: bytes.subarray(0, end),
    after: bytes.subarray(end),
  };
}

/** A wrong address, a key that is none, an empty account: whoever runs the service mends it. */
function isConfiguration(status: number): boolean {
  return (status >= 300 && status < 400) || [401, 402, 403, 404, 408].includes(status);
}

async function readText(response: Response, signal: AbortSignal): Promise<string> {
  const { text, isWhole } = await readStart(response, { maxBytes: limits.answerBytes, signal });
  if (!isWhole) throw new NotTranscribed('the transcript is too long');
  return text;
}

/** Undefined where it is none, or has more values than the words and segments of any part. */
function parseJson(text: string): unknown {
  try {
    requireFewValues(Buffer.from(text));
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
