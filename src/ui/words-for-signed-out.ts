/** Of what was not done because the session is over. */
export const wordsForSignedOut =
  'You were signed out before this was done. Once you are signed in, try again.';
