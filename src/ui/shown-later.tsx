'use client';
import { type ComponentType, lazy, Suspense } from 'react';

/**
 * A part that a page shows later, if ever, as a dialog. Nobody waits for it to see the page, which
 * fetches it once it is at rest: so it opens at once, offline too, and after another version of the
 * service has taken the place of this one. A part that could not be fetched fails its page, and is asked
 * for anew where that is tried again; one that is dispensable, as a hint, is left out until it is shown
 * the next time.
 */
export function shownLater<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  options: { isDispensable?: boolean } = {},
): ComponentType<Props> {
  let Part = lazily();
  function lazily() {
    return lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        Part = lazily();
        if (options.isDispensable) return { default: () => null };
        throw error;
      }
    });
  }
  atRest(() => void load().catch(() => {}));
  return function ShownLater(props: Props) {
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
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
