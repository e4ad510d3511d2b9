import { webhookLimits } from '@/src/webhooks/limits';
import type { Endpoint } from './endpoint-status';
import classes from './success-bar.module.css';

const { countedDeliveries } = webhookLimits;

/**
 * The share of the last day's deliveries that succeeded, as a number and as a small bar. `isAlone` says
 * what it is of.
 */
export function SuccessBar({ endpoint, isAlone }: { endpoint: Endpoint; isAlone?: boolean }) {
  const { last_day: day, status } = endpoint;
  if (day.success_share === null) {
    const ofPending = status === 'enabled' ? 'Sending…' : 'Pending';
    return <span className={classes.none}>{day.pending > 0 ? ofPending : 'No deliveries'}</span>;
  }
  const isCapped = day.pending + day.succeeded + day.failed >= countedDeliveries;
  const counted = isCapped
    ? `The newest ${countedDeliveries.toLocaleString('en')} of the last 24 hours`
    : 'Last 24 hours';
  // Rounded down: one failure in a thousand is not 100 %.
  const percent = Math.floor(day.success_share * 100);
  return (
    <span
      className={classes.root}
      title={`${counted}: ${day.succeeded} succeeded, ${day.failed} failed, ${day.pending} pending`}
    >
      <span className={classes.bar} aria-hidden>
        <span className={classes.filled} style={{ width: `${percent}%` }} />
      </span>
      <span className="numeric">
        {percent}%{isAlone && ' delivered in 24 h'}
      </span>
    </span>
  );
}
