'use client';
import { ErrorNote } from '@/src/ui/components/error-note';
import { useMode } from '@/src/ui/session/shown-mode';
import classes from './mode.module.css';
import { useSwitched } from './said-switch';
import { useSwitch } from './use-switch';

const switchId = 'mode-switch';

/** Whether the pages show test data, and how to change that. */
export function ModeSwitch() {
  const mode = useMode();
  const change = useSwitch(mode === 'live' ? 'test' : 'live');
  const isSwitched = useSwitched(switchId);
  const isBusy = change.isPending || change.isSuccess;
  return (
    <div className={classes.switchRoot}>
      <button
        id={switchId}
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
      <span className="visually-hidden" aria-live="polite">
        {isSwitched && `Test mode is ${mode === 'test' ? 'on' : 'off'}.`}
      </span>
      <ErrorNote error={change.error} />
    </div>
  );
}
