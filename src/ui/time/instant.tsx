'use client';
import { Fragment, type ReactNode, useEffect, useState } from 'react';
import { shownLater } from '../overlays/shown-later';
import { dayMs, hourMs, minuteMs } from './durations';
import { serviceNow, unnoticedMs } from './service-clock';

const TimeTooltip = shownLater(async () => (await import('./time-tooltip')).TimeTooltip, {
  isDispensable: true,
});

/** How often what is said of an instant is said anew. */
const renewMs = minuteMs / 2;

/** So far ahead may lie what has just happened: by a clock that is wrong, and by a present not yet renewed. */
const justNowMs = unnoticedMs + renewMs;

/**
 * An instant as people say it; one that `isToCome` may be soon, any other has happened. The server does
 * not know the reader's zone, so dates may be corrected by a day once the browser takes over; lengths
 * stay the same.
 */
export function Instant(props: { at: string; isToCome?: boolean }) {
  const now = useNow();
  const at = new Date(props.at);
  const aheadMs = at.getTime() - now.getTime();
  const isJustNow = !props.isToCome && aheadMs > 0 && aheadMs < justNowMs;
  return <ExactTime at={props.at}>{describeInstant(at, isJustNow ? at : now)}</ExactTime>;
}

/** Words for an instant, with its exact local time and UTC on hover and on focus. */
export function ExactTime({ at, children }: { at: string; children: ReactNode }) {
  const [element, setElement] = useState<HTMLTimeElement | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  // Known only in the browser: the server has no idea of the reader's zone.
  const [exact, setExact] = useState<string[]>();
  useEffect(() => setExact(exactTimes(new Date(at))), [at]);
  const open = () => setIsOpen(true);
  const close = () => setIsOpen(false);
  return (
    <>
      <time
        ref={setElement}
        dateTime={at}
        aria-description={exact?.join('; ')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it tells more, also without a pointer
        tabIndex={0}
        onPointerEnter={open}
        onPointerLeave={close}
        onFocus={open}
        onBlur={close}
        suppressHydrationWarning
      >
        {/* Another one once the browser has taken over: until then the server's words stand here. */}
        <Fragment key={exact ? 'browser' : 'server'}>{children}</Fragment>
      </time>
      {isOpen && exact && <TimeTooltip target={element} lines={exact} />}
    </>
  );
}

/** `Jan 15, 2026, 11:30:00 GMT+1`, and the same in UTC unless that is the reader's zone. */
function exactTimes(at: Date): string[] {
  const inZone = (timeZone?: string) =>
    new Intl.DateTimeFormat('en', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'short',
      timeZone,
    }).format(at);
  return [...new Set([inZone(), inZone('UTC')])];
}

/** The present by the service's clock, renewed twice a minute. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date(serviceNow()));
  useEffect(() => {
    const renew = () => setNow(new Date(serviceNow()));
    renew();
    const timer = setInterval(renew, renewMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** `3 min ago`, `in 2 h`, and beyond a week the date. */
function describeInstant(at: Date, now: Date): string {
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

function dateFormat(at: Date, now: Date): Intl.DateTimeFormat {
  const isThisYear = at.getFullYear() === now.getFullYear();
  return new Intl.DateTimeFormat('en', {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
  });
}
