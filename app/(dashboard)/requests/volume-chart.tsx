'use client';
import { Button, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Volume } from '@/src/requests/schema';
import { useTRPC } from '@/src/ui/calls/trpc';
import { ErrorNote } from '@/src/ui/components/error-note';
import classes from './requests.module.css';
import { type RequestsView, volumeHours } from './requests-view';
import {
  barsOf,
  chartHeight,
  hourWidth,
  type Kind,
  kinds,
  summaryOf,
  totalOf,
} from './volume-bars';

/** Soon where counting costs next to nothing, so that the chart keeps up with the lines below. */
const refreshMs = { few: 5_000, many: 60_000 };
const many = 5_000;
const number = new Intl.NumberFormat('en');

const names: Record<Kind, string> = {
  succeeded: 'succeeded',
  refused: 'refused (4xx)',
  failed: 'failed (5xx)',
};

/** Requests by the hour, and how many of them went wrong; a table behind it says the same. */
export function VolumeChart(props: {
  view: RequestsView;
  isLive: boolean;
  onHour: (hour: string) => void;
}) {
  const hours = volumeHours(props.view);
  const volume = useQuery(
    useTRPC().requests.volume.queryOptions(
      { hours },
      {
        refetchInterval: ({ state }) => {
          if (!props.isLive) return false;
          const total = state.data?.hours.reduce((sum, hour) => sum + totalOf(hour), 0) ?? 0;
          return total < many ? refreshMs.few : refreshMs.many;
        },
      },
    ),
  );
  if (!volume.data) {
    if (volume.isPending) return <VolumeSkeleton />;
    return <ErrorNote error={volume.error} retry={() => void volume.refetch()} />;
  }
  return <Chart volume={volume.data} onHour={props.onHour} />;
}

function Chart({ volume, onHour }: { volume: Volume; onHour: (hour: string) => void }) {
  const tableId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { paths, limitAt } = barsOf(volume);
  const { busiest, ...sums } = summaryOf(volume);
  const span = volume.hours.length === 24 ? 'Last 24 hours' : 'Last 7 days';
  const words = kinds.map((kind) => `${number.format(sums[kind])} ${names[kind]}`).join(', ');
  const width = volume.hours.length * hourWidth;
  return (
    <section className={classes.volume} aria-label="Requests by the hour">
      <div className={`${classes.summary} numeric`}>
        <b>{span}</b>
        {kinds.map((kind) => (
          <span key={kind}>
            <span className={`${classes.swatch} ${classes[kind]}`} aria-hidden />
            {number.format(sums[kind])} {names[kind]}
          </span>
        ))}
      </div>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${width} ${chartHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${span}: ${words}. The busiest hour had ${number.format(busiest)} of ${number.format(volume.limit)}.`}
      >
        {kinds.map((kind) => (
          <path key={kind} className={classes[kind]} d={paths[kind]} />
        ))}
        {limitAt !== undefined && (
          <line
            className={classes.limit}
            x1={0}
            x2={width}
            y1={limitAt}
            y2={limitAt}
            vectorEffect="non-scaling-stroke"
          />
        )}
      </svg>
      <div className={classes.summary}>
        <Text size="xs" c="dimmed" className="numeric">
          Busiest hour: {number.format(busiest)}. The limit is {number.format(volume.limit)} an hour
          {limitAt !== undefined && ', the dashed line'}.
          {volume.is_partial && ' There are more than could be counted: the oldest are missing.'}
        </Text>
        <Button
          size="compact-xs"
          variant="subtle"
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-controls={tableId}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Hide the table' : 'Show as a table'}
        </Button>
      </div>
      <div id={tableId}>{isOpen && <Hours volume={volume} onHour={onHour} />}</div>
    </section>
  );
}

/** Only in the browser, which knows the reader's zone. */
function Hours({ volume, onHour }: { volume: Volume; onHour: (hour: string) => void }) {
  const busy = volume.hours.filter((hour) => totalOf(hour) > 0).toReversed();
  if (busy.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        There was none.
      </Text>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <section className={classes.hours} tabIndex={0} aria-label="Hours with requests">
      <table className="numeric">
        <thead>
          <tr>
            <th scope="col">Hour from</th>
            <th scope="col">Succeeded</th>
            <th scope="col">Refused</th>
            <th scope="col">Failed</th>
          </tr>
        </thead>
        <tbody>
          {busy.map((hour) => (
            <tr key={hour.hour_at}>
              <td>
                <UnstyledButton
                  fz="inherit"
                  td="underline"
                  onClick={() => onHour(`${hour.hour_at.slice(0, 19)}Z`)}
                >
                  {hourFormat.format(new Date(hour.hour_at))}
                </UnstyledButton>
              </td>
              {kinds.map((kind) => (
                <td key={kind}>{number.format(hour[kind])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export const hourFormat = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

export function VolumeSkeleton() {
  return (
    <div className={classes.volume} role="status" aria-label="Loading">
      <div className={classes.summary}>
        <Skeleton height={12} width={240} my={4} />
      </div>
      <div className={classes.chart} />
      <div className={classes.summary}>
        <Skeleton height={10} width={200} my={6} />
      </div>
    </div>
  );
}
