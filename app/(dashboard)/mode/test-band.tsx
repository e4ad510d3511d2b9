'use client';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { useOnce } from '@/src/ui/calls/once';
import { useTRPC } from '@/src/ui/calls/trpc';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { ErrorNote } from '@/src/ui/components/error-note';
import { shownLater } from '@/src/ui/overlays/shown-later';
import classes from './mode.module.css';
import { emptyButtonId } from './openers';
import { useSwitch } from './use-switch';

const EmptyTestData = shownLater(async () => (await import('./empty-test-data')).EmptyTestData);

/** Above every page in test mode: what it is, what can be done with it, and the way back. */
export function TestBand() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const once = useOnce();
  const [isEmptying, setIsEmptying] = useState(false);
  const leave = useSwitch('live');
  const add = useSingleMutation(
    trpc.testMode.addSamples.mutationOptions({
      trpc: { context: once },
      onSettled: () => void queryClient.invalidateQueries(),
    }),
  );
  return (
    <section className={classes.band} aria-label="Test mode">
      <p className={classes.words}>
        <strong>Test data.</strong> Nothing here is live.{' '}
        <span role="status">
          {add.data && (
            <>
              {add.data.testimonials} samples were added to{' '}
              <Link href="/testimonials?status=all">the inbox</Link>.
            </>
          )}
        </span>
      </p>
      <div className={classes.actions}>
        <Button
          size="compact-sm"
          variant="default"
          loading={add.isPending}
          onClick={() => add.mutate()}
        >
          Add samples
        </Button>
        <Button
          id={emptyButtonId}
          size="compact-sm"
          variant="default"
          onClick={() => setIsEmptying(true)}
        >
          Delete test data
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          loading={leave.isPending || leave.isSuccess}
          onClick={() => leave.mutate(undefined)}
        >
          Leave test mode
        </Button>
      </div>
      <ErrorNote error={add.error ?? leave.error} />
      {isEmptying && (
        <EmptyTestData
          onClose={() => {
            add.reset();
            setIsEmptying(false);
          }}
        />
      )}
    </section>
  );
}
