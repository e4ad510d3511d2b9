import { Anchor } from '@mantine/core';
import { FileQuestion } from 'lucide-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import { EmptyState } from '@/src/ui/empty-state';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <main style={{ maxWidth: 560, margin: '15vh auto 0', padding: 16 }}>
      <EmptyState
        icon={<FileQuestion size={20} />}
        title="This page does not exist"
        action={
          <Anchor component={Link} href="/" size="sm" underline="always">
            Go to the dashboard
          </Anchor>
        }
      >
        It may have been deleted, or the address has a typing mistake.
      </EmptyState>
    </main>
  );
}
