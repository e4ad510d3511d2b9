/**
 * SIGHUP from the first moment on. It has workers replaced, which only the settings tell of, and those
 * are read a second after the start: a reload that comes in between would end the process. Imported
 * before what takes long to load.
 */
let isHeard = false;

const keep = (): void => {
  isHeard = true;
};

process.on('SIGHUP', keep);

/**
 * A process that has no workers ends at SIGHUP after all, also at one that it has heard by now: its
 * terminal was closed.
 */
export function endAtHangup(): void {
  const end = () => {
    process.off('SIGHUP', keep).off('SIGHUP', end);
    process.kill(process.pid, 'SIGHUP');
  };
  // Before the other goes: what was sent, and not handed over yet, is lost where nobody listens.
  process.on('SIGHUP', end);
  if (isHeard) end();
}

/**
 * One without a terminal was asked for a reload, and has nobody to replace: it goes on, and `tell` says so,
 * also of what it has heard by now.
 */
export function passHangupOver(tell: () => void): void {
  process.on('SIGHUP', tell);
  if (isHeard) tell();
}
