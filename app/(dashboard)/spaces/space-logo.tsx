'use client';
import { usePicture } from '@/src/ui/browser/media';

const size = '1.75rem';

/** The logo of a space, or a square of its colour where there is none that can be shown. */
export function SpaceLogo({ url, color }: { url: string | null; color: string | null }) {
  const picture = usePicture(url);
  const style = {
    flex: 'none',
    width: size,
    height: size,
    border: '1px solid var(--app-line)',
    borderRadius: 6,
  };
  if (!picture) {
    return (
      <span
        aria-hidden
        style={{ ...style, background: color ?? 'var(--mantine-color-default-hover)' }}
      />
    );
  }
  return (
    // biome-ignore lint/performance/noImgElement: nothing is resized here
    <img {...picture} alt="" style={{ ...style, objectFit: 'contain' }} />
  );
}
