/** On the root element once the scripts of a page run. */
export const startedMark = 'data-started';

/**
 * On a form that was sent before they took it. That did nothing, if its method is `dialog`: each form that
 * the server draws has it.
 */
export const sentEarlyMark = 'data-sent-early';

/** What stands over a page whose scripts do not load. */
export const shownNoticeId = 'not-started';
