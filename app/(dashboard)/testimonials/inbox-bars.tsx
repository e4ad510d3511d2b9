'use client';
import { FocusHeir } from '@/src/ui/browser/focus-heir';
import { ErrorNote } from '@/src/ui/components/error-note';
import classes from './bars.module.css';
import type { DecisionState, Decisions } from './decisions';
import { Failures, Gone } from './failures';
import { rowId } from './inbox-row';
import { SelectionBar } from './selection-bar';
import { UndoBar } from './undo-bar';
import type { BatchAction } from './use-batch-run';
import type { InboxRows } from './use-inbox';
import type { Moderation } from './use-moderation';

/** What stands over the last rows: what went wrong, what is selected, and what can be taken back. */
export function InboxBars(props: {
  state: DecisionState;
  decisions: Decisions;
  inbox: InboxRows;
  moderation: Moderation;
  total: number | undefined;
  onAct: (action: BatchAction) => void;
}) {
  const { state, decisions, inbox, moderation, total } = props;
  const { current, selectedCount } = moderation;
  const heir = current && rowId(current.id);
  return (
    <div className={classes.bars}>
      <Failures
        failures={state.failures}
        heir={heir}
        onRetry={() => void decisions.retry()}
        onDismiss={decisions.forgetFailures}
      />
      <Gone gone={state.gone} heir={heir} onDismiss={decisions.forgetGone} />
      {inbox.list.data && inbox.failure && (
        <div>
          <ErrorNote {...inbox.failure} />
          <FocusHeir id={heir} />
        </div>
      )}
      {selectedCount > 0 && (
        <SelectionBar
          count={selectedCount}
          total={total}
          isAll={moderation.isAllSelected}
          heir={heir}
          onSelectAll={moderation.selectAllThatMatch}
          onClear={() => moderation.select([])}
          onAct={props.onAct}
        />
      )}
      {state.decisions.length > 0 && (
        <UndoBar decisions={state.decisions} heir={heir} onUndo={moderation.undo} />
      )}
    </div>
  );
}
