import { createFlag } from './flag';

/** Whether a procedure has answered this tab that its session is over. */
export const signedOut = createFlag();
