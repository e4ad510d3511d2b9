'use client';
import { FailedPage } from '@/src/ui/failures';

export default function ErrorPage(props: { error: { digest?: string }; reset: () => void }) {
  return <FailedPage digest={props.error.digest} retry={props.reset} />;
}
