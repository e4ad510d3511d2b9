'use client';
import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/src/ui/calls/trpc';
import { ErrorNote } from '@/src/ui/components/error-note';
import { Note } from '@/src/ui/components/note';
import { ProblemNote } from '@/src/ui/components/problem-note';
import { useSubmit } from '@/src/ui/forms/use-submit';
import { sendTestMail } from '@/src/ui/session/sign-in';
import { Line } from './section';

/** How soon to look again whether a mail has left. */
const lookAgainMs = 5000;

/** What is told by mail, and whether mails arrive. */
export function Mail({ email }: { email: string }) {
  const trpc = useTRPC();
  const state = useQuery({
    ...trpc.account.mail.queryOptions(),
    refetchInterval: ({ state: { data } }) => (data?.waiting ? lookAgainMs : false),
  });
  // Once it is known how far the mail came; where nobody can say, it is on its way.
  const form = useSubmit(async () => {
    const outcome = await sendTestMail();
    return outcome.problem ? outcome : { data: (await state.refetch()).isSuccess };
  });
  if (!state.data) {
    return state.error ? (
      <ErrorNote error={state.error} retry={() => void state.refetch()} />
    ) : (
      <MailSkeleton />
    );
  }
  const { is_on, waiting, problem } = state.data;
  if (!is_on) {
    return (
      <Text size="sm" c="dimmed">
        This service sends no mails. Whoever runs it can set it up to tell you when a webhook
        endpoint fails.
      </Text>
    );
  }
  return (
    <form {...form.attributes}>
      <Stack gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          You are told at {email} when a webhook endpoint has failed for a day, and when it is
          switched off.
        </Text>
        {waiting > 0 && problem && (
          <Note tone="warning" role="status">
            The mail server did not take a mail to you ({problem}).{' '}
            {waiting > 1 && `${waiting} wait. `}We go on trying. If it stays so, tell whoever runs
            the service.
          </Note>
        )}
        <ProblemNote problem={form.problem} />
        {form.done && !(waiting > 0 && problem) && (
          <Note tone="good" role="status">
            {waiting > 0 || form.done.data !== true
              ? 'The mail is on its way to the mail server.'
              : 'The mail server has taken the mail. Nothing there in a few minutes? Look among the spam.'}
          </Note>
        )}
        <Button
          type="submit"
          variant="default"
          loading={form.isBusy}
          style={{ alignSelf: 'start' }}
        >
          Send a test mail
        </Button>
      </Stack>
    </form>
  );
}

export function MailSkeleton() {
  return (
    <>
      <Line width={320} />
      <Line width={120} />
    </>
  );
}
