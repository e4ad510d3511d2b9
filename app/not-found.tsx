import { FileQuestion } from 'lucide-react';
import type { Metadata } from 'next';
import { EmptyState } from '@/src/ui/empty-state';
import { TextLink } from '@/src/ui/text-link';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <main style={{ maxWidth: 560, margin: '15vh auto 0', padding: 16 }}>
      <EmptyState
        icon={<FileQuestion size={20} />}
        title="This page does not exist"
        action={<TextLink href="/">Go to the dashboard</TextLink>}
      >
        It may have been deleted, or the address has a typing mistake.
      </EmptyState>
    </main>
  );
}
