'use client';
import { Button } from '@mantine/core';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { MissingPage } from '@/app/missing-page';
import { FileQuestion } from '@/src/ui/components/icons';
import { useMode } from '@/src/ui/session/shown-mode';
import { OtherMode } from './mode/mode-of-address';
import { sections } from './sections';

/** Of one thing of a section: what is missing in one mode may be there in the other. */
export default function NotFound() {
  const mode = useMode();
  const [, folder, id] = usePathname().split('/');
  const section = sections.find(({ href }) => href === `/${folder}`);
  if (!section || !id) return <MissingPage />;
  const stay = (
    <Button component={Link} href={section.href}>
      Back to {section.label.toLowerCase()}
    </Button>
  );
  return mode === 'test' ? (
    <OtherMode
      missing={<FileQuestion size={20} />}
      title="There is no such test data"
      to="live"
      action="Look among what is live"
      stay={stay}
    >
      It may have been deleted, or it is live: then leave test mode to see it.
    </OtherMode>
  ) : (
    <OtherMode
      missing={<FileQuestion size={20} />}
      title="This page does not exist"
      to="test"
      action="Look among the test data"
      stay={stay}
    >
      It may have been deleted, the address has a typing mistake, or it is of test mode.
    </OtherMode>
  );
}
