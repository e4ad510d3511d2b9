'use client';
import { Button } from '@mantine/core';
import { FocusHeir } from '@/src/ui/browser/focus-heir';
import classes from './bars.module.css';
import type { BatchAction } from './use-batch-run';

export const selectionBarId = 'selection';

/** `1,234 selected`. */
export const selectedInWords = (count: number) => `${count.toLocaleString('en')} selected`;

/** What can be done with what is selected. */
export function SelectionBar(props: {
  count: number;
  /** All that match, where there are more than are loaded and selected. */
  total: number | undefined;
  isAll: boolean;
  /** Where the focus goes with the end of the selection. */
  heir: string | undefined;
  onSelectAll: () => void;
  onClear: () => void;
  onAct: (action: BatchAction) => void;
}) {
  const act = (action: BatchAction) => () => props.onAct(action);
  function selectAll() {
    props.onSelectAll();
    // The button is gone with it.
    document.getElementById(selectionBarId)?.focus();
  }
  const isMoreThere = !props.isAll && props.total !== undefined && props.total > props.count;
  return (
    <section id={selectionBarId} tabIndex={-1} className={classes.bar} aria-label="Selection">
      <div className={classes.chosen}>
        <span className="numeric">{selectedInWords(props.count)}</span>
        {isMoreThere && (
          <Button size="xs" variant="subtle" onClick={selectAll}>
            Select all {props.total?.toLocaleString('en')} that match
          </Button>
        )}
      </div>
      <Button size="xs" variant="default" onClick={act('approved')}>
        Approve
      </Button>
      <Button size="xs" variant="default" onClick={act('rejected')}>
        Reject
      </Button>
      <Button size="xs" variant="default" c="var(--mantine-color-error)" onClick={act('deleted')}>
        Delete…
      </Button>
      <Button size="xs" variant="subtle" onClick={props.onClear}>
        Clear
      </Button>
      <FocusHeir id={props.heir} />
    </section>
  );
}
