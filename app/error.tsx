'use client';
import { FailedPage } from '@/app/failures';

export default function ErrorPage(props: { error: { digest?: string }; retry: () => void }) {
  return (
    <main style={{ maxWidth: 560, margin: '10vh auto 0', padding: 16 }}>
      <FailedPage digest={props.error.digest} retry={props.retry} />
    </main>
  );
}
