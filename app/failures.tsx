import { Button } from '@mantine/core';
import { EmptyState } from '@/src/ui/empty-state';
import { CloudAlert, FileQuestion } from '@/src/ui/icons';
import { TextLink } from './text-link';

/** What stands where a page was looked for and there is none. */
export function MissingPage() {
  return (
    <EmptyState
      icon={<FileQuestion size={20} />}
      isPage
      title="This page does not exist"
      action={<TextLink href="/">Go to the dashboard</TextLink>}
    >
      It may have been deleted, or the address has a typing mistake.
    </EmptyState>
  );
}

/**
 * What stands where a page failed. The error itself stays in the log; `digest` finds it there. Without
 * one it did not fail in the service: mostly the answer was cut off on its way.
 */
export function FailedPage(props: { digest?: string; retry: () => void }) {
  return (
    <EmptyState
      icon={<CloudAlert size={20} />}
      isPage
      title="This page could not be loaded"
      action={
        <Button variant="default" data-leads-away onClick={props.retry}>
          Try again
        </Button>
      }
    >
      {props.digest ? (
        <>Something went wrong on our side, and nothing was changed. Reference: {props.digest}</>
      ) : (
        'It did not arrive whole, or could not be shown, and nothing was changed. Check your connection, and try again.'
      )}
    </EmptyState>
  );
}
