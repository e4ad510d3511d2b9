import { tokensOf } from '../../background/held-leases';
import { database } from '../../database/client';
import { Prisma } from '../../database/generated/client';
import { instant } from '../../database/sql/instants';
import { webhookLimits } from '../limits';
import { retryScheduleMs } from './backoff';
import { type Claimed, leaseEnd } from './claim';

/**
 * Has the leases of deliveries that are still being sent last anew, in one statement. One that has
 * run out is renewed as well, unless somebody has given it back meanwhile.
 */
export async function renewLeases(held: Iterable<Claimed>, now?: Date): Promise<void> {
  const tokens = tokensOf(held);
  // Whoever has one locked ends it: to wait for that could become a circle.
  await database().$executeRaw`
    WITH leased AS MATERIALIZED (
      SELECT d.id FROM webhook_deliveries d
      WHERE d.lease_token IS NOT NULL AND d.lease_token = ANY (${tokens}::uuid[])
      FOR UPDATE SKIP LOCKED
    )
    UPDATE webhook_deliveries d SET leased_until = ${leaseEnd(instant(now))}
    FROM leased WHERE d.id = leased.id`;
}

/**
 * Gives back what was claimed by processes that have died: the leases that ran out, or all of them
 * where nobody else can be alive. Returns how many attempts it has logged. What this process has `held`
 * is not among them, whose leases run out where somebody has their rows locked for long.
 *
 * Each attempt is logged as interrupted and made again at once, at the same step of the schedule:
 * the receiver did nothing wrong. An event that ends the process each time must not do so for ever,
 * so that after a few interruptions in a row one counts as a failure of the receiver's would: of a test
 * event, which is not retried, as the last.
 */
export async function returnLeases(options: {
  all: boolean;
  held?: Iterable<Claimed>;
  now?: Date;
}): Promise<number> {
  const at = instant(options.now);
  const held = tokensOf(options.held ?? []);
  const ended = options.all ? Prisma.empty : Prisma.sql`AND d.leased_until <= ${at}`;
  const stepsMs = Prisma.sql`${retryScheduleMs}::float8[]`;
  return database().$executeRaw`
    WITH lost AS MATERIALIZED (
      SELECT d.id, least(d.leased_at, d.leased_until, ${at}) AS started_at,
        least(d.leased_until, ${at}) AS ended_at,
        d.interruption_count + 1 < ${webhookLimits.interruptionsPerStep}::int AS is_excused,
        d.schedule_step < ${retryScheduleMs.length}::int AND NOT (
          SELECT event.is_test FROM webhook_events event WHERE event.id = d.event_id
        ) AS has_next_step
      FROM webhook_deliveries d
      WHERE d.lease_token IS NOT NULL AND d.lease_token <> ALL (${held}::uuid[]) ${ended}
      FOR UPDATE SKIP LOCKED
    ),
    returned AS (
      UPDATE webhook_deliveries d SET
        state = CASE WHEN is_excused OR has_next_step THEN 'pending'::delivery_state
          ELSE 'failed' END,
        next_attempt_at = CASE WHEN is_excused THEN ${at} WHEN has_next_step
          THEN ${at} + (${stepsMs})[d.schedule_step + 1] * interval '1 millisecond' END,
        schedule_step = d.schedule_step + (NOT is_excused AND has_next_step)::int,
        interruption_count = CASE WHEN is_excused THEN d.interruption_count + 1 ELSE 0 END,
        attempt_count = d.attempt_count + 1,
        response_status = NULL, error_class = 'interrupted', last_attempt_at = lost.started_at,
        lease_token = NULL, leased_at = NULL, leased_until = NULL
      FROM lost WHERE d.id = lost.id
      RETURNING d.id, d.attempt_count, lost.started_at, lost.ended_at
    )
    INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, error_class)
    SELECT id, attempt_count, started_at,
      -- Of weeks, where the clock was set forward meanwhile.
      least(greatest(extract(epoch FROM ended_at - started_at) * 1000, 0), 2147483647)::int,
      'interrupted'
    FROM returned
    -- Where a number was set back by hand, the log has it: one lease may not keep all others.
    ON CONFLICT (delivery_id, number) DO NOTHING`;
}
