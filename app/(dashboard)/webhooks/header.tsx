import type { ReactNode } from 'react';
import { PageHeader } from '@/src/ui/components/page-header';

export function WebhooksHeader({ action }: { action?: ReactNode }) {
  return (
    <PageHeader
      title="Webhooks"
      text="Tell your own server when a testimonial is created, approved, rejected or deleted."
      action={action}
    />
  );
}
