import type { ReactNode } from 'react';
import { PageHeader } from '@/src/ui/components/page-header';

export function SpacesHeader({ action }: { action?: ReactNode }) {
  return (
    <PageHeader
      title="Spaces"
      text="A space holds the testimonials of one brand or product."
      action={action}
    />
  );
}
