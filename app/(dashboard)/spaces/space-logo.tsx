'use client';
import { useState } from 'react';
import { useMediaUrl } from '@/src/ui/media';

const size = '1.75rem';

/** The logo of a space, or a square of its colour where there is none that can be shown. */
export function SpaceLogo({ url, color }: { url: string | null; color: string | null }) {
  const source = useMediaUrl(url);
  const [failed, setFailed] = useState<string>();
  const style = {
    flex: 'none',
    width: size,
    height: size,
    border: '1px solid var(--app-line)',
    borderRadius: 6,
  };
  if (!source || source === failed) {
    return (
      <span
        aria-hidden
        style={{ ...style, background: color ?? 'var(--mantine-color-default-hover)' }}
      />
    );
  }
  return (
    // biome-ignore lint/performance/noImgElement: nothing is resized here
    <img
      src={source}
      alt=""
      loading="lazy"
      referrerPolicy="no-referrer"
      onError={() => setFailed(source)}
      style={{ ...style, objectFit: 'contain' }}
    />
  );
}
