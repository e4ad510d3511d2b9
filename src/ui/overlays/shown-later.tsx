'use client';
import { type ComponentType, useEffect, useState } from 'react';
import { isFileGone } from '../browser/missing-file';
import { NotLoaded, OnItsWay } from './not-loaded';

/** Sooner, what comes at once would be told of too. */
const lateMs = 700;

/**
 * A part that a page shows later, if ever, as a dialog. Nobody waits for it to see the page, which
 * fetches it once it is at rest: so it opens at once, offline too, and after another version of the
 * service has taken the place of this one. Where it could not be fetched, that is said over the page,
 * which stays as it is, with a way to ask for it anew, or to load the page anew where only that can help,
 * and, for a part with `onClose`, one to leave it.
 * While it is on its way that is said, and one with `onClose` is called off by whatever else is done: it
 * would open over what one does by then. A second click on what opens it asks for it again. One that stands
 * in the address (`isInAddress`) goes and comes with that, and is called off by Escape alone: to close it
 * goes back, which a link that was clicked would be taken back by.
 * A part that is dispensable, as a hint, is left out until it is shown the next time.
 */
export function shownLater<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  options: { isDispensable?: boolean; isInAddress?: boolean } = {},
): ComponentType<Props & { onClose?: () => void }> {
  let loaded: ComponentType<Props> | undefined;
  const ask = async () => {
    loaded = await load();
  };
  atRest(() => void ask().catch(() => {}));
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, by its module.
  return function ShownLater(props: Props & { onClose?: () => void }) {
    const [isAsking, setIsAsking] = useState(true);
    const [isLate, setIsLate] = useState(false);
    const [failure, setFailure] = useState<{ isGone: boolean }>();
    useEffect(() => {
      if (loaded || !isAsking) return;
      const timer = setTimeout(() => setIsLate(true), lateMs);
      ask()
        .catch(async () => setFailure({ isGone: await isFileGone() }))
        .finally(() => setIsAsking(false));
      return () => clearTimeout(timer);
    }, [isAsking]);
    const { onClose } = props;
    useEffect(() => {
      if (loaded || failure || !onClose) return;
      const callOff = ({ type, key }: Event & { key?: string }) => {
        if (key === 'Escape' || (!options.isInAddress && (type !== 'keydown' || key?.length === 1)))
          onClose();
      };
      const listening = new AbortController();
      // Before what is clicked or pressed does anything: that may ask for it again.
      const early = { capture: true, signal: listening.signal };
      for (const type of ['click', 'input', 'keydown'])
        window.addEventListener(type, callOff, early);
      return () => listening.abort();
    });
    const Part = loaded;
    if (Part) return <Part {...props} />;
    if (options.isDispensable) return null;
    if (!failure) return isLate ? <OnItsWay /> : null;
    return (
      <NotLoaded
        isGone={failure.isGone}
        isBusy={isAsking}
        onRetry={() => setIsAsking(true)}
        onClose={onClose}
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
