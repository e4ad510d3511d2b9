'use client';
import { useEffect } from 'react';
import { FailedPage } from '@/app/failed-page';

/** What did not arrive whole is asked for again once a network that was gone is back. */
export default function ErrorPage(props: { error: { digest?: string }; retry: () => void }) {
  const { retry } = props;
  const { digest } = props.error;
  useEffect(() => {
    if (digest) return;
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [digest, retry]);
  return <FailedPage digest={digest} retry={retry} />;
}
