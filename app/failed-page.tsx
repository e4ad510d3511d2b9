'use client';
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { isFileGone } from '@/src/ui/browser/missing-file';
import { EmptyState } from '@/src/ui/components/empty-state';
import { CloudAlert } from '@/src/ui/components/icons';

/**
 * What stands where a page failed. The error itself stays in the log; `digest` finds it there. Without
 * one it did not fail in the service: mostly the answer was cut off on its way, or a file of the page is
 * of a version that another has taken the place of, which only the whole page, loaded anew, can mend.
 * Read out at once, and again where the reason turns out to be another: one hears of the navigation
 * before no more than the title of the page that was to come.
 */
export function FailedPage(props: { digest?: string; retry: () => void }) {
  const { digest } = props;
  const [isGone, setIsGone] = useState(false);
  useEffect(() => {
    if (!digest) void isFileGone().then(setIsGone);
  }, [digest]);
  return (
    <div role="alert">
      <EmptyState
        icon={<CloudAlert size={20} />}
        isPage
        title="This page could not be loaded"
        action={
          <Button
            variant="default"
            data-leads-away
            onClick={isGone ? () => window.location.reload() : props.retry}
          >
            {isGone ? 'Load it again' : 'Try again'}
          </Button>
        }
      >
        <Reason digest={digest} isGone={isGone} />
      </EmptyState>
    </div>
  );
}

function Reason({ digest, isGone }: { digest: string | undefined; isGone: boolean }) {
  if (digest)
    return <>Something went wrong on our side, and nothing was changed. Reference: {digest}</>;
  if (isGone) return 'A new version of the service is there, and nothing was changed.';
  return 'It did not arrive whole, or could not be shown, and nothing was changed. Check your connection, and try again.';
}
