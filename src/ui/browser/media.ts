'use client';
import { useState, useSyncExternalStore } from 'react';

const never = () => () => {};

/** Of the page, known in the browser alone. */
export function useOrigin(): string | undefined {
  return useSyncExternalStore(
    never,
    () => window.location.origin,
    () => undefined,
  );
}

/**
 * The address of a picture or video that the page may load: a file of this service, or one by
 * https. Undefined for any other, and on the server, which does not know the page's own address.
 */
export function useMediaUrl(url: string | null): string | undefined {
  const origin = useOrigin();
  return url && origin ? mediaUrl(url, origin) : undefined;
}

/** What an `img` is given for a picture that is somewhere else; undefined where none can be shown. */
export function usePicture(url: string | null) {
  const src = useMediaUrl(url);
  const [failed, setFailed] = useState<string>();
  if (!src || src === failed) return undefined;
  const onError = () => setFailed(src);
  return { src, loading: 'lazy', referrerPolicy: 'no-referrer', onError } as const;
}

export function mediaUrl(url: string, origin: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  // A service that was not told its public address calls its files those of localhost.
  const isOurs = parsed.origin === origin || parsed.hostname === 'localhost';
  if (isOurs && parsed.pathname.startsWith('/files/')) return origin + parsed.pathname;
  return parsed.protocol === 'https:' ? url : undefined;
}
