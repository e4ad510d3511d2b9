'use client';
import { Stack } from '@mantine/core';
import { useFocusReturn } from '@/src/ui/browser/use-focus-return';
import { BusyButton } from '@/src/ui/components/busy-button';
import { ProblemNote } from '@/src/ui/components/problem-note';
import type { MailedLink } from './use-mailed-link';

/** Of what the focus goes to once the link is checked. */
export const checkedLinkId = 'checked-link';

/** A link that could not be checked may be good: it is checked again where it is. */
export function UncheckedLink({ link }: { link: MailedLink & { state: 'unchecked' } }) {
  useFocusReturn(checkedLinkId);
  return (
    <Stack gap="md">
      <ProblemNote problem={link.isBusy ? undefined : link.problem} />
      <BusyButton isBusy={link.isBusy} onClick={link.retry} fullWidth>
        Try again
      </BusyButton>
    </Stack>
  );
}
