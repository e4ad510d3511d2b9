import type { ReactNode } from 'react';
import { PageHeader } from '@/src/ui/components/page-header';

export function RequestsHeader({ action }: { action?: ReactNode }) {
  return (
    <PageHeader
      title="Requests"
      text="What was sent to the API with your keys in the last 7 days, and what was wrong with it."
      action={action}
    />
  );
}
