'use client';
import { usePathname } from 'next/navigation';
import { MissingPage } from '@/app/failures';
import { TextLink } from '@/app/text-link';
import { useMode } from '@/src/ui/shown-mode';
import { OtherMode } from './mode/mode-of-address';

/** What is missing in one mode may be there in the other. */
export default function NotFound() {
  const mode = useMode();
  const isOfOne = usePathname().split('/').length > 2;
  if (!isOfOne) return <MissingPage />;
  return mode === 'test' ? (
    <OtherMode
      title="There is no such test data"
      to="live"
      action="Look among what is live"
      stay={<TextLink href="/">Go to the dashboard</TextLink>}
    >
      It may have been deleted, or it is live: then leave test mode to see it.
    </OtherMode>
  ) : (
    <OtherMode
      title="This page does not exist"
      to="test"
      action="Look among the test data"
      stay={<TextLink href="/">Go to the dashboard</TextLink>}
    >
      It may have been deleted, the address has a typing mistake, or it is of test mode.
    </OtherMode>
  );
}
