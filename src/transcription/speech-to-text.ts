import { openAsBlob } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { env } from '../env';
import { transcriptionLimits as limits } from './limits';
import { NotTranscribed } from './not-transcribed';

/** A service that speaks OpenAI's audio API. */
export type SpeechToText = { baseUrl: string; apiKey: string | undefined; model: string };

/** One file for it, small enough. It goes by the ending of the name, so that must be a real one. */
export type AudioFile = { path: string; fileName: string; contentType: string };

const openAiUrl = 'https://api.openai.com/v1';

/** Pauses before the tries after the first; a Retry-After header may lengthen them. */
const retryDelaysMs = [500, 1_000, 2_000, 4_000, 8_000];

/** How much of a refusal goes into the log. */
const maxReasonCharacters = 300;

/** The configured service; undefined where none is, or transcription is switched off. */
export function speechToText(): SpeechToText | undefined {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, TRANSCRIPTION_MODEL, TRANSCRIPTION_DISABLED } = env();
  // A server of one's own often wants no key: its address alone is a configuration too.
  if (TRANSCRIPTION_DISABLED || !(OPENAI_API_KEY || OPENAI_BASE_URL)) return undefined;
  return {
    baseUrl: (OPENAI_BASE_URL ?? openAiUrl).replace(/\/+$/, ''),
    apiKey: OPENAI_API_KEY,
    model: TRANSCRIPTION_MODEL,
  };
}

/** Waits; tests wait for nothing. */
type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

const pauseFor: Pause = (ms, signal) => sleep(ms, undefined, { signal });

/**
 * The transcript of the files, joined in their order; empty where nobody speaks. Tries again after
 * 429, 5xx and network errors until `signal` is aborted.
 * @throws NotTranscribed with the service's answer when it refuses one of them
 */
export async function transcribeAudio(
  service: SpeechToText,
  files: AudioFile[],
  signal: AbortSignal,
  { pause = pauseFor }: { pause?: Pause } = {},
): Promise<string> {
  const texts: string[] = [];
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const queue = [...files.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, file] = next;
      texts[index] = await transcribeFile(service, file, either, pause);
    }
  };
  try {
    await Promise.all(Array.from({ length: limits.partsAtOnce }, worker));
  } catch (error) {
    // A transcript with a hole in it would pass for a whole one.
    failure.abort(error);
    throw error;
  }
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join(' ');
}

async function transcribeFile(
  service: SpeechToText,
  file: AudioFile,
  signal: AbortSignal,
  pause: Pause,
): Promise<string> {
  for (const delayMs of [...retryDelaysMs, undefined]) {
    const outcome = await tryOnce(service, file, signal);
    if ('text' in outcome) return outcome.text;
    if (!outcome.isTemporary || delayMs === undefined) throw new NotTranscribed(outcome.reason);
    await pause(Math.max(delayMs, outcome.retryAfterMs), signal);
  }
  throw new Error('unreachable');
}

type Outcome = { text: string } | { reason: string; isTemporary: boolean; retryAfterMs: number };

const transcript = z.object({ text: z.string() });

async function tryOnce(
  { baseUrl, apiKey, model }: SpeechToText,
  { path, fileName, contentType }: AudioFile,
  signal: AbortSignal,
): Promise<Outcome> {
  const form = new FormData();
  form.set('model', model);
  form.set('response_format', 'json');
  form.set('file', await openAsBlob(path, { type: contentType }), fileName);
  let response: Response;
  let body: string;
  try {
    response = await fetch(`${baseUrl}/audio/transcriptions`, {
      method: 'POST',
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      body: form,
      // Followed, the POST would become a GET: the address in the configuration is wrong.
      redirect: 'manual',
      signal,
    });
    body = await readText(response);
  } catch (error) {
    if (error instanceof NotTranscribed) throw error;
    signal.throwIfAborted();
    const reason = `the speech-to-text service cannot be reached: ${describe(error)}`;
    return { reason, isTemporary: true, retryAfterMs: 0 };
  }
  const { status } = response;
  // Some services report failures with status 200.
  const parsed = response.ok ? transcript.safeParse(parseJson(body)) : undefined;
  if (parsed?.success) return { text: parsed.data.text };
  return {
    reason: `the speech-to-text service answered ${status}: ${body.slice(0, maxReasonCharacters)}`,
    isTemporary: status === 429 || status >= 500,
    retryAfterMs: retryAfterMs(response.headers),
  };
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > limits.answerBytes) throw new NotTranscribed('the transcript is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function retryAfterMs(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? 0);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0;
}

/** `fetch` says "fetch failed" and keeps what failed as the cause. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}
