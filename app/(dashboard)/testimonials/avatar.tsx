'use client';
import { usePicture } from '@/src/ui/browser/media';
import { initialOf } from '@/src/ui/components/initial';
import classes from './inbox-row.module.css';

/** The picture of who wrote it, or an initial where there is none that can be shown. */
export function Avatar({ name, url }: { name: string; url: string | null }) {
  const picture = usePicture(url);
  if (!picture) {
    return (
      <span className={classes.avatar} aria-hidden>
        {/* Of what is one character a browser may know more than the server. */}
        <bdi suppressHydrationWarning>{initialOf(name)}</bdi>
      </span>
    );
  }
  return (
    // biome-ignore lint/performance/noImgElement: nothing is resized here
    <img {...picture} alt="" className={classes.avatar} decoding="async" />
  );
}
