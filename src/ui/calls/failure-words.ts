/** Where nothing answered, or something else than the service. */
export const unreached = 'The service could not be reached. Check your connection and try again.';

/** Where that may be the answer to a change, which nobody knows then to be made or not. */
export const unanswered =
  'No answer came from the service, so this may be done or not. Check your connection and try again.';

/** Of what was not done because the session is over. */
export const wordsForSignedOut =
  'You were signed out before this was done. Once you are signed in, try again.';
