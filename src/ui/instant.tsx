'use client';
import { useEffect, useState } from 'react';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * An instant as people say it, UTC on hover. The server does not know the reader's zone, so dates
 * may be corrected by a day once the browser takes over; lengths stay the same.
 */
export function Instant({ at }: { at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={`${inUtc(at)} UTC`} suppressHydrationWarning>
      {describeInstant(new Date(at), now)}
    </time>
  );
}

/** The present, renewed twice a minute. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    setNow(new Date());
    const timer = setInterval(() => setNow(new Date()), minuteMs / 2);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** `3 min ago`, `in 2 h`, and beyond a week the date. */
export function describeInstant(at: Date, now: Date): string {
  const distanceMs = at.getTime() - now.getTime();
  const size = Math.abs(distanceMs);
  if (size < minuteMs) return distanceMs <= 0 ? 'just now' : 'in a moment';
  if (size >= 7 * dayMs) return dateFormat(at, now).format(at);
  const [count, unit] =
    size < hourMs
      ? [size / minuteMs, 'min']
      : size < dayMs
        ? [size / hourMs, 'h']
        : [size / dayMs, 'd'];
  const text = `${distanceMs < 0 ? Math.floor(count) : Math.round(count)} ${unit}`;
  return distanceMs < 0 ? `${text} ago` : `in ${text}`;
}

/** `2026-01-15 10:30:00`, without a zone. */
export function inUtc(at: string): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

function dateFormat(at: Date, now: Date): Intl.DateTimeFormat {
  const isThisYear = at.getFullYear() === now.getFullYear();
  return new Intl.DateTimeFormat('en', {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
  });
}
