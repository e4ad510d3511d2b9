'use client';
import { useEffect } from 'react';
import { sendEarlyForms } from './browser/early-input';
import { shownNoticeId, startedMark } from './browser/started-marks';

/**
 * Says that the scripts of the page run: what fails to load from here on has words of its own. Sends what was
 * sent before, but in a page of the dashboard, which listens a little later.
 */
export function Started() {
  useEffect(() => {
    document.documentElement.setAttribute(startedMark, '');
    document.getElementById(shownNoticeId)?.remove();
    sendEarlyForms(':not(#content *)');
  }, []);
  return null;
}
