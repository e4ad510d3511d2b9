'use client';
import { useEffect } from 'react';
import { shownNoticeId, startedMark } from './started-marks';

/** Says that the scripts of the page run: what fails to load from here on has words of its own. */
export function Started() {
  useEffect(() => {
    document.documentElement.setAttribute(startedMark, '');
    document.getElementById(shownNoticeId)?.remove();
  }, []);
  return null;
}
