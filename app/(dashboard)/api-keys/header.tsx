import type { ReactNode } from 'react';
import { PageHeader } from '@/src/ui/components/page-header';

export function ApiKeysHeader({ action }: { action?: ReactNode }) {
  return (
    <PageHeader
      title="API keys"
      text="A key lets a server of yours read and write your testimonials. Never put one into a web page."
      action={action}
    />
  );
}
