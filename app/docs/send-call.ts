import type { Call } from './call';

export type Sent =
  | { status: number; statusText: string; durationMs: number; headers: string; body: string }
  | { failure: string };

const timeoutMs = 30_000;

/** More would make the page slow; a list of a hundred has about half. */
const shownCharacters = 200_000;

/** Sends the request with the key alone, as a client elsewhere would: never with the session. */
export async function sendCall({ url, ...init }: Call): Promise<Sent> {
  const start = performance.now();
  try {
    const response = await fetch(url, {
      ...init,
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    return {
      status: response.status,
      statusText: response.statusText,
      durationMs: Math.round(performance.now() - start),
      headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
      body: readable(text),
    };
  } catch (error) {
    return { failure: `No answer: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** JSON with line breaks, anything else as it is; cut where it is very long. */
function readable(text: string): string {
  let formatted = text;
  try {
    formatted = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not JSON, or nothing at all.
  }
  return formatted.length > shownCharacters ? `${formatted.slice(0, shownCharacters)}…` : formatted;
}
