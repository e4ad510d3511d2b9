'use client';
import { type ComponentType, useEffect, useState } from 'react';
import { isFileGone } from './missing-file';
import { NotLoaded } from './not-loaded';

/**
 * A part that a page shows later, if ever, as a dialog. Nobody waits for it to see the page, which
 * fetches it once it is at rest: so it opens at once, offline too, and after another version of the
 * service has taken the place of this one. Where it could not be fetched, that is said over the page,
 * which stays as it is, with a way to ask for it anew, or to load the page anew where only that can help,
 * and, for a part with `onClose`, one to leave it.
 * A part that is dispensable, as a hint, is left out until it is shown the next time.
 */
export function shownLater<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  options: { isDispensable?: boolean } = {},
): ComponentType<Props & { onClose?: () => void }> {
  let loaded: ComponentType<Props> | undefined;
  const ask = async () => {
    loaded = await load();
  };
  atRest(() => void ask().catch(() => {}));
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, by its module.
  return function ShownLater(props: Props & { onClose?: () => void }) {
    const [isAsking, setIsAsking] = useState(true);
    const [failure, setFailure] = useState<{ isGone: boolean }>();
    useEffect(() => {
      if (loaded || !isAsking) return;
      ask()
        .catch(async () => setFailure({ isGone: await isFileGone() }))
        .finally(() => setIsAsking(false));
    }, [isAsking]);
    const Part = loaded;
    if (Part) return <Part {...props} />;
    if (!failure || options.isDispensable) return null;
    return (
      <NotLoaded
        isGone={failure.isGone}
        isBusy={isAsking}
        onRetry={() => setIsAsking(true)}
        onClose={props.onClose}
      />
    );
  };
}

/** Once the page is loaded and its script has nothing to do. Not all browsers tell when that is. */
function atRest(task: () => void): void {
  if (typeof window === 'undefined') return;
  const wait = () => {
    if ('requestIdleCallback' in window) requestIdleCallback(task);
    else setTimeout(task, 1_000);
  };
  if (document.readyState === 'complete') wait();
  else window.addEventListener('load', wait, { once: true });
}
