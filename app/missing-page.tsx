import { EmptyState } from '@/src/ui/components/empty-state';
import { FileQuestion } from '@/src/ui/components/icons';
import { TextLink } from './text-link';

/** What stands where a page was looked for and there is none. */
export function MissingPage() {
  return (
    <EmptyState
      icon={<FileQuestion size={20} />}
      isPage
      title="This page does not exist"
      action={<TextLink href="/">Go to the dashboard</TextLink>}
    >
      It may have been deleted, or the address has a typing mistake.
    </EmptyState>
  );
}
