'use client';
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useOnce } from '@/src/ui/calls/once';
import { type Outputs, useTRPC } from '@/src/ui/calls/trpc';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { SnippetTabs } from '@/src/ui/code/snippet-tabs';
import { ErrorNote } from '@/src/ui/components/error-note';
import { shownName } from '@/src/ui/components/shown-name';
import { testimonialCall } from './calls';
import { KeyAdvice } from './first-request';
import { spaceInput } from './polling';
import type { ShownKey } from './shown-key';
import { Waiting } from './step';
import classes from './steps.module.css';

type Testimonial = Outputs['testimonials']['get']['data'];

/** A write: with a space made by a click, and approved where it arrives. */
export function FirstTestimonial(props: {
  apiKey: ShownKey | undefined;
  testimonial: Testimonial | undefined;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const once = useOnce();
  const spaces = useQuery(trpc.spaces.list.queryOptions(spaceInput));
  const makeSpace = useSingleMutation(
    trpc.spaces.create.mutationOptions({
      trpc: { context: once },
      onSuccess: () => queryClient.invalidateQueries(trpc.spaces.pathFilter()),
    }),
  );
  const space = spaces.data?.data[0];
  if (props.testimonial) return <Arrived {...props} testimonial={props.testimonial} />;
  if (!spaces.data && spaces.error) {
    return <ErrorNote error={spaces.error} retry={() => void spaces.refetch()} />;
  }
  if (!space) {
    return (
      <Stack gap="sm" align="start">
        <Text size="sm">A space holds the testimonials of one brand or product.</Text>
        <Button
          loading={makeSpace.isPending || spaces.isPending}
          onClick={() => makeSpace.mutate({ name: 'My first space' })}
        >
          Make a space
        </Button>
        <ErrorNote error={makeSpace.error} />
      </Stack>
    );
  }
  return (
    <Stack gap="sm">
      <KeyAdvice apiKey={props.apiKey} />
      <Text size="sm">
        This sends a testimonial to “<bdi>{shownName(space.name)}</bdi>”.
      </Text>
      <SnippetTabs
        call={testimonialCall(space.id)}
        apiKey={props.apiKey?.key}
        label="testimonial"
      />
      <Waiting>Waiting for the testimonial…</Waiting>
    </Stack>
  );
}

function Arrived(props: { apiKey: ShownKey | undefined; testimonial: Testimonial }) {
  const { id, submitter_name, text_content, rating, status } = props.testimonial;
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const approve = useSingleMutation(
    trpc.testimonials.update.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.testimonials.list.pathFilter()),
    }),
  );
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        {status === 'pending'
          ? 'It arrived, and waits for your decision.'
          : status === 'approved'
            ? 'It arrived and is approved: your site may show it.'
            : 'It arrived and is rejected.'}
      </Text>
      <figure className={classes.quote} style={{ margin: 0 }}>
        <Text size="sm" lineClamp={3} dir="auto">
          {text_content ?? 'A video'}
        </Text>
        <Text size="sm" c="dimmed" component="figcaption" mt={4}>
          <bdi>{shownName(submitter_name)}</bdi>
          {rating !== null && `, ${rating} of 5 stars`}
        </Text>
      </figure>
      {status === 'pending' && (
        <Group gap="sm">
          <Button
            loading={approve.isPending}
            onClick={() => approve.mutate({ id, status: 'approved' })}
          >
            Approve
          </Button>
          {/* What is shown once would be lost with the page. */}
          <Anchor href="/testimonials" size="sm" target={props.apiKey && '_blank'}>
            Decide in the inbox
          </Anchor>
        </Group>
      )}
      <ErrorNote error={approve.error} />
    </Stack>
  );
}
