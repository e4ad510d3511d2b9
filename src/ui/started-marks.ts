/** On the root element once the scripts of a page run. */
export const startedMark = 'data-started';

/** What stands over a page whose scripts do not load. */
export const shownNoticeId = 'not-started';
