import { InboxHeader } from './header';
import { InboxListSkeleton } from './inbox-list-skeleton';

export default function Loading() {
  return (
    <>
      <InboxHeader />
      <InboxListSkeleton />
    </>
  );
}
