import { createFlag } from '../browser/flag';

/** Whether this tab was answered that its session is over: the page then asks for a sign-in. */
export const signedOut = createFlag();
