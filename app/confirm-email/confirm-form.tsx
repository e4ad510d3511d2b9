'use client';
import { Button, Skeleton, Stack } from '@mantine/core';
import { checkedLinkId, UncheckedLink } from '@/app/sign-in/unchecked-link';
import { type MailedLink, useMailedLink } from '@/app/sign-in/use-mailed-link';
import { Note } from '@/src/ui/components/note';
import { ProblemNote } from '@/src/ui/components/problem-note';
import { useSubmit } from '@/src/ui/forms/use-submit';
import { confirmEmail } from '@/src/ui/session/sign-in';

/** With a button: what merely looks at links in mails confirms nothing. */
export function ConfirmForm() {
  const link = useMailedLink('confirm-email');
  return <FormOfLink key={link.number} link={link} />;
}

function FormOfLink({ link }: { link: MailedLink }) {
  const token = link.state === 'good' ? link.token : '';
  const form = useSubmit(() => confirmEmail({ token }));
  if (form.done) {
    return (
      <Stack gap="md">
        <Note tone="good" role="status">
          The address is confirmed.
        </Note>
        <Button component="a" href="/account" fullWidth>
          Go on
        </Button>
      </Stack>
    );
  }
  if (link.state === 'unchecked') return <UncheckedLink link={link} />;
  const problem = link.state === 'bad' ? link.problem : form.problem;
  return (
    <form {...form.attributes}>
      <Stack gap="md">
        <ProblemNote problem={problem} />
        {link.state !== 'bad' && (
          <Skeleton visible={link.state === 'checking'}>
            <Button id={checkedLinkId} type="submit" loading={form.isBusy} fullWidth>
              Confirm this address
            </Button>
          </Skeleton>
        )}
      </Stack>
    </form>
  );
}
