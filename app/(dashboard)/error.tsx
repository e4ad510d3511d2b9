'use client';
import { FailedPage } from '@/app/failures';

export default function ErrorPage(props: { error: { digest?: string }; retry: () => void }) {
  return <FailedPage digest={props.error.digest} retry={props.retry} />;
}
