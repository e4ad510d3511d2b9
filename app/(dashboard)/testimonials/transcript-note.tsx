'use client';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/src/ui/trpc';
import type { Testimonial } from './decisions';

const lookAgainMs = 10_000;

/** How the transcript of an opened video stands: one may be tried for as long as a day. */
export function TranscriptNote({
  testimonial: { id, ai_transcript },
}: {
  testimonial: Testimonial;
}) {
  const { data: now } = useQuery(
    useTRPC().testimonials.get.queryOptions(
      { id, include: 'transcription' },
      {
        select: ({ data }) => data,
        staleTime: 0,
        refetchInterval: ({ state }) =>
          state.data?.data.transcription === 'pending' ? lookAgainMs : false,
      },
    ),
  );
  return (
    <Text size="sm" c="dimmed" role="status">
      {now?.transcription === 'pending' &&
        'Its transcript is being made. It becomes the text, unless you write one.'}
      {now?.transcription === 'failed' && 'No transcript could be made of it.'}
      {now?.transcription === 'done' &&
        now.ai_transcript !== ai_transcript &&
        'Its transcript is there. Open this testimonial again to see it.'}
    </Text>
  );
}
