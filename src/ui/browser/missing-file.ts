/** Of the script or style that failed to load last. */
let address: string | undefined;

if (typeof window !== 'undefined') {
  // It does not rise from the element: it is seen on its way down.
  window.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement) address = target.src;
      else if (target instanceof HTMLLinkElement) address = target.href;
    },
    true,
  );
}

const answerLimitMs = 5_000;

/**
 * Whether the service answers, and has that file no more: another version has taken the place of the
 * one that made this page, and to ask for the file again can never help.
 */
export async function isFileGone(): Promise<boolean> {
  if (!address) return false;
  const signal = AbortSignal.timeout(answerLimitMs);
  const init: RequestInit = { method: 'HEAD', cache: 'no-store', signal };
  const answer = await fetch(address, init).catch(() => undefined);
  return answer?.status === 404;
}
