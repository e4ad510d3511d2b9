import { accountHeader, type Mode } from '@/src/mode';

/** Whose pages this tab shows for as long as it is loaded. Undefined where it shows nobody's. */
let shown: string | undefined;

let mode: Mode = 'live';

/** Notes whose pages are shown; the first stays. On the server, which renders for everybody, nobody's. */
export function noteShownAccount(account: string, itsMode: Mode): void {
  if (typeof window === 'undefined') return;
  shown ??= account;
  mode = itsMode;
}

/** The mode of the pages that this tab shows, or showed until somebody had to sign in. */
export const shownMode = (): Mode => mode;

/**
 * What says with each call whose pages are shown: another tab may have signed in to another account
 * meanwhile, for which nothing that is asked here is meant.
 */
export function ofShownAccount(): Record<string, string> {
  return shown === undefined ? {} : { [accountHeader]: shown };
}
