'use client';
import { Button } from '@mantine/core';
import { CloudAlert } from 'lucide-react';
import { EmptyState } from '@/src/ui/empty-state';

/** The error itself stays in the log; `digest` is how to find it there. */
export default function ErrorPage(props: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <main style={{ maxWidth: 560, margin: '10vh auto 0', padding: 16 }}>
      <EmptyState
        icon={<CloudAlert size={20} />}
        title="This page could not be loaded"
        action={
          <Button variant="default" onClick={props.reset}>
            Try again
          </Button>
        }
      >
        Something went wrong on our side, and nothing was changed.
        {props.error.digest && <> Reference: {props.error.digest}</>}
      </EmptyState>
    </main>
  );
}
