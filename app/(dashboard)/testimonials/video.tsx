'use client';
import { Anchor, Text } from '@mantine/core';
import { useMediaUrl } from '@/src/ui/browser/media';
import type { Testimonial } from './decisions';

/** The player, which asks for nothing until one plays; and a link, for what is no file. */
export function Video({ testimonial }: { testimonial: Testimonial }) {
  const source = useMediaUrl(testimonial.video_url);
  const still = useMediaUrl(testimonial.video_thumbnail_url);
  if (!source) {
    return (
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        The video is not shown, as its address is not https: <bdi>{testimonial.video_url}</bdi>
      </Text>
    );
  }
  return (
    <div>
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript is the text below */}
      <video
        controls
        preload="none"
        playsInline
        poster={still}
        src={source}
        style={{
          width: '100%',
          aspectRatio: '16 / 9',
          background: '#000',
          borderRadius: 'var(--mantine-radius-md)',
        }}
      />
      <Anchor size="sm" href={source} target="_blank" rel="noopener noreferrer">
        Open the video
      </Anchor>
    </div>
  );
}
