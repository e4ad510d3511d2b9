import { callSignIn, type Outcome } from './call-sign-in';

/** By itself, for every page has it: the words of the forms are not loaded with it. */
export function signOut(): Promise<Outcome> {
  return callSignIn('/sign-out', {});
}
