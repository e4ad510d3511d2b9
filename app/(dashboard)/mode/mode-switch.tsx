'use client';
import { ErrorNote } from '@/src/ui/error-note';
import { useMode } from '@/src/ui/shown-mode';
import classes from './mode.module.css';
import { useSwitch } from './use-switch';

/** Whether the pages show test data, and how to change that. */
export function ModeSwitch() {
  const mode = useMode();
  const change = useSwitch(mode === 'live' ? 'test' : 'live');
  const isBusy = change.isPending || change.isSuccess;
  return (
    <div className={classes.switchRoot}>
      <button
        type="button"
        role="switch"
        aria-checked={mode === 'test'}
        aria-busy={isBusy}
        className={classes.switch}
        onClick={() => !isBusy && change.mutate(undefined)}
      >
        <span className={classes.track} aria-hidden />
        Test mode
      </button>
      <ErrorNote error={change.error} />
    </div>
  );
}
