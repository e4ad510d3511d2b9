/** On the root element once the scripts of a page run. */
export const startedMark = 'data-started';

/** On a form that was sent before they did, which then did nothing. */
export const sentEarlyMark = 'data-sent-early';

/** What stands over a page whose scripts do not load. */
export const shownNoticeId = 'not-started';
