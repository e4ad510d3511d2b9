'use client';
import { Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTRPC } from '@/src/ui/calls/trpc';
import type { Testimonial } from './decisions';
import { replaceRows } from './use-decisions';

const lookAgainMs = 10_000;

/** How the transcript of an opened video stands: one may be tried for as long as a day. */
export function TranscriptNote({
  testimonial: { id, ai_transcript },
}: {
  testimonial: Testimonial;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data: now } = useQuery(
    trpc.testimonials.get.queryOptions(
      { id, include: 'transcription' },
      {
        select: ({ data }) => data,
        staleTime: 0,
        refetchInterval: ({ state }) =>
          state.data?.data.transcription === 'pending' ? lookAgainMs : false,
      },
    ),
  );
  const isNew = now?.transcription === 'done' && now.ai_transcript !== ai_transcript;
  // The next dialog begins with the row of the list.
  useEffect(() => {
    if (isNew) replaceRows({ queryClient, trpc }, [now], []);
  }, [isNew, now, queryClient, trpc]);
  return (
    <Text size="sm" c="dimmed" role="status">
      {now?.transcription === 'pending' &&
        'Its transcript is being made. It becomes the text, unless you write one.'}
      {now?.transcription === 'failed' && 'No transcript could be made of it.'}
      {isNew &&
        (now.text_content === now.ai_transcript
          ? 'Its transcript is there. Open this testimonial again to see it.'
          : 'Its transcript is there. The text stays as it was written.')}
    </Text>
  );
}
