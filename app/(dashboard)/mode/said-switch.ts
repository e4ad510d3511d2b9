'use client';
import { useEffect, useState } from 'react';
import { focusOnceDrawn } from '@/src/ui/browser/use-focus-return';
import { keep, readKept } from '@/src/ui/browser/web-storage';

const storageName = 'mode-switched';

/** To be called before the page that follows a switch is loaded. */
export function noteSwitched(): void {
  keep('tab', storageName, '');
}

/**
 * Whether this page was loaded because the mode was switched. The focus, which went with the page
 * before, then goes to the element with the id.
 */
export function useSwitched(id: string): boolean {
  const [isSwitched, setIsSwitched] = useState(false);
  useEffect(() => {
    if (readKept('tab', storageName) === null) return;
    keep('tab', storageName, null);
    setIsSwitched(true);
    focusOnceDrawn([id], { preventScroll: true });
  }, [id]);
  return isSwitched;
}
