'use client';
import { FailedPage } from '@/app/failed-page';

export default function ErrorPage(props: { error: { digest?: string }; retry: () => void }) {
  return (
    <main style={{ maxWidth: '35rem', margin: '10vh auto 0', padding: '1rem' }}>
      <FailedPage digest={props.error.digest} retry={props.retry} />
    </main>
  );
}
