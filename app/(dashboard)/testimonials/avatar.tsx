'use client';
import { useState } from 'react';
import { initialOf } from '@/src/ui/initial';
import { useMediaUrl } from '@/src/ui/media';
import classes from './inbox-row.module.css';

/** The picture of who wrote it, or an initial where there is none that can be shown. */
export function Avatar({ name, url }: { name: string; url: string | null }) {
  const source = useMediaUrl(url);
  const [failed, setFailed] = useState<string>();
  if (!source || source === failed) {
    return (
      <span className={classes.avatar} aria-hidden>
        {/* Of what is one character a browser may know more than the server. */}
        <bdi suppressHydrationWarning>{initialOf(name)}</bdi>
      </span>
    );
  }
  return (
    // biome-ignore lint/performance/noImgElement: nothing is resized here
    <img
      className={classes.avatar}
      src={source}
      alt=""
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setFailed(source)}
    />
  );
}
