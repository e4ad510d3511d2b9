'use client';
import { useSyncExternalStore } from 'react';
import { ExactTime } from '@/src/ui/time/instant';

const never = () => () => {};

/**
 * Day and time to the second, as one reads a log. In UTC until the browser takes over, which knows
 * the reader's zone; of the same length.
 */
export function LogTime({ at }: { at: string }) {
  const text = useSyncExternalStore(
    never,
    () => local.format(new Date(at)),
    () => utc.format(new Date(at)),
  );
  return <ExactTime at={at}>{text}</ExactTime>;
}

const form: Intl.DateTimeFormatOptions = {
  day: '2-digit',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
};
const local = new Intl.DateTimeFormat('en', form);
const utc = new Intl.DateTimeFormat('en', { ...form, timeZone: 'UTC' });
