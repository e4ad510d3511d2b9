import type { ReactNode } from 'react';
import { PageHeader } from '@/src/ui/components/page-header';

export function InboxHeader({ action }: { action?: ReactNode }) {
  return (
    <PageHeader
      title="Inbox"
      text="Approve what may be shown, reject what may not."
      action={action}
    />
  );
}
