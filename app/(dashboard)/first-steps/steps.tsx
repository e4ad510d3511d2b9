'use client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, useTRPC } from '@/src/ui/calls/trpc';
import { FirstRequest } from './first-request';
import { FirstTestimonial } from './first-testimonial';
import { FirstWebhook } from './first-webhook';
import { newestInput, pollMs } from './polling';
import type { ShownKey } from './shown-key';
import { Step } from './step';
import classes from './steps.module.css';
import { useFirstUse } from './use-first-use';

type Testimonial = Outputs['testimonials']['list']['data'][number];

const isDecidedOn = (testimonial: Testimonial | undefined) =>
  testimonial !== undefined && testimonial.status !== 'pending';

/**
 * From nothing to an approved testimonial and a webhook: one step is open, and the next opens by
 * itself once its request has arrived. Without a key, code says where to get one.
 */
export function Steps({ apiKey }: { apiKey?: ShownKey }) {
  const trpc = useTRPC();
  const everyMs = apiKey ? pollMs.inDialog : pollMs.onPage;
  const isUsed = useIsUsed(apiKey, everyMs);
  // Whoever decides on what is shown means that one, though others come meanwhile.
  const [shownId, setShownId] = useState<string>();
  const shownOf = (rows: Testimonial[] = []) => rows.find(({ id }) => id === shownId) ?? rows[0];
  const newest = useQuery(
    trpc.testimonials.list.queryOptions(newestInput, {
      refetchInterval: ({ state }) => (isDecidedOn(shownOf(state.data?.data)) ? false : everyMs),
    }),
  );
  const testimonial = shownOf(newest.data?.data);
  if (testimonial && testimonial.id !== shownId) setShownId(testimonial.id);
  const isDecided = isDecidedOn(testimonial);
  const [isReceived, setIsReceived] = useState(false);
  const done = [isUsed, isDecided, isReceived];
  const doneCount = done.filter(Boolean).length;
  const [chosen, setChosen] = useState<{ step: number; doneCount: number }>();
  // What was chosen holds until the next thing is done.
  const next = done.includes(false) ? done.indexOf(false) : done.length - 1;
  const open = chosen?.doneCount === doneCount ? chosen.step : next;
  const step = (index: number) => ({
    number: index + 1,
    isDone: done[index] ?? false,
    isOpen: open === index,
    onOpen: () => setChosen({ step: open === index ? -1 : index, doneCount }),
  });
  return (
    <>
      <div className="visually-hidden" aria-live="polite">
        {doneCount > 0 && `${doneCount} of 3 steps done`}
      </div>
      <ol className={classes.root}>
        <Step {...step(0)} title={isUsed ? 'First request received' : 'Send a first request'}>
          <FirstRequest apiKey={apiKey} isUsed={isUsed} />
        </Step>
        <Step
          {...step(1)}
          title={isDecided ? 'First testimonial decided' : 'Send and approve a testimonial'}
        >
          <FirstTestimonial apiKey={apiKey} testimonial={testimonial} />
        </Step>
        <Step {...step(2)} title={isReceived ? 'First webhook received' : 'Receive a webhook'}>
          <FirstWebhook apiKey={apiKey} onReceived={setIsReceived} />
        </Step>
      </ol>
    </>
  );
}

/** Whether a request came: with this key, or with any. */
function useIsUsed(apiKey: ShownKey | undefined, everyMs: number): boolean {
  const isUsed = useFirstUse(apiKey?.id, everyMs);
  const all = useQuery(
    useTRPC().apiKeys.list.queryOptions(undefined, {
      enabled: apiKey === undefined,
      refetchInterval: ({ state }) => (isAnyUsed(state.data) ? false : everyMs),
    }),
  );
  return apiKey ? isUsed : isAnyUsed(all.data);
}

function isAnyUsed(keys: Outputs['apiKeys']['list'] = []): boolean {
  return keys.some(({ last_used_at }) => last_used_at !== null);
}
