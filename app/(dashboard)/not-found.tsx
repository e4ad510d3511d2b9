'use client';
import { Button, Group } from '@mantine/core';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { MissingPage } from '@/app/failures';
import type { Mode } from '@/src/mode';
import { EmptyState } from '@/src/ui/empty-state';
import { ErrorNote } from '@/src/ui/error-note';
import { FileQuestion } from '@/src/ui/icons';
import { useMode } from '@/src/ui/shown-mode';
import { addressIn } from './mode/mode-of-address';
import { useSwitch } from './mode/use-switch';
import { sections } from './sections';

/** Of one thing of a section: what is missing in one mode may be there in the other. */
export default function NotFound() {
  const mode = useMode();
  const [, folder, id] = usePathname().split('/');
  const section = sections.find(({ href }) => href === `/${folder}`);
  if (!section || !id) return <MissingPage />;
  return mode === 'test' ? (
    <Missing
      title="There is no such test data"
      section={section}
      to="live"
      action="Look among what is live"
    >
      It may have been deleted, or it is live: then leave test mode to see it.
    </Missing>
  ) : (
    <Missing
      title="This page does not exist"
      section={section}
      to="test"
      action="Look among the test data"
    >
      It may have been deleted, the address has a typing mistake, or it is of test mode.
    </Missing>
  );
}

function Missing(props: {
  title: string;
  section: (typeof sections)[number];
  to: Mode;
  action: string;
  children: string;
}) {
  const { section, to } = props;
  const change = useSwitch(to);
  return (
    <EmptyState
      isPage
      icon={<FileQuestion size={20} />}
      title={props.title}
      action={
        <Group gap="sm" justify="center">
          <Button
            variant="default"
            loading={change.isPending || change.isSuccess}
            onClick={() => change.mutate(addressIn(to))}
          >
            {props.action}
          </Button>
          <Button component={Link} href={section.href}>
            Back to {section.label.toLowerCase()}
          </Button>
          <ErrorNote error={change.error} />
        </Group>
      }
    >
      {props.children}
    </EmptyState>
  );
}
