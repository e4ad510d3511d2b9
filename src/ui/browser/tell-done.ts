/** Of the dashboard's live element that `tellDone` writes into. */
export const doneId = 'done';

/** After the focus has moved on, as from a dialog that closes: what it moves to would cut it short. */
const afterFocusMs = 200;

/** By then it has been read out, and is not to be come upon at the end of the page. */
const keptMs = 10_000;

/**
 * Has a screen reader say, in a few words, that something is done, where others see it by what is gone or
 * has changed: a row, a form. Not for what appears with a `role` of its own. Nothing is told outside of the
 * dashboard, whose layout has the element with `doneId`.
 */
export function tellDone(words: string): void {
  setTimeout(() => {
    // A new element each time: the same words are told again.
    const line = document.createElement('div');
    line.textContent = words;
    document.getElementById(doneId)?.append(line);
    setTimeout(() => line.remove(), keptMs);
  }, afterFocusMs);
}
