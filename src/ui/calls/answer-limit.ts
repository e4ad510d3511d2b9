import { minUploadBytesPerSecond } from '../../storage/limits';

/** More than the service takes for an answer: dialogs stay open for as long as their change is under way. */
const answerMs = 60_000;

/** For how long a page waits for an answer to what it sends, a file for as long as it may take too. */
export function answerLimitMs(body?: unknown): number {
  const uploadMs = body instanceof Blob ? (body.size / minUploadBytesPerSecond) * 1000 : 0;
  return answerMs + Math.ceil(uploadMs);
}
