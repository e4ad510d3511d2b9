'use client';
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { FocusHeir } from '@/src/ui/browser/focus-heir';
import { shownName } from '@/src/ui/components/shown-name';
import classes from './bars.module.css';
import type { Decision } from './decisions';
import { countOf, statusNames } from './status-words';

/** The last decision that is not sent yet, and how long it can be taken back. */
export function UndoBar(props: {
  decisions: readonly Decision[];
  heir: string | undefined;
  onUndo: () => void;
}) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const waiting = props.decisions.filter(({ isSent }) => !isSent);
  const last = waiting.at(-1);
  if (!last) return null;
  const seconds = Math.max(1, Math.ceil((last.dueMs - Math.max(now, 0)) / 1000));
  return (
    <section className={classes.bar} aria-label="Undo">
      <span>
        <Described {...last} />
        {waiting.length > 1 && (
          <span style={{ color: 'var(--mantine-color-dimmed)' }}>
            {' '}
            and {waiting.length - 1} before
          </span>
        )}
      </span>
      {/* Of a double click the second would take back the decision before. */}
      <Button size="xs" variant="default" onClick={({ detail }) => detail < 2 && props.onUndo()}>
        {/* A name that changes each second would be read each second. */}
        Undo{' '}
        <span className="numeric" aria-hidden>
          &nbsp;({seconds} s)
        </span>
      </Button>
      <FocusHeir id={props.heir} />
    </section>
  );
}

function Described({ testimonials, status }: Decision) {
  const [only, ...others] = testimonials;
  const state = status === 'pending' ? 'back to pending' : statusNames[status].toLowerCase();
  if (!only || others.length > 0) return `${countOf(testimonials.length)} ${state}`;
  return (
    <>
      <bdi>{shownName(only.submitter_name)}</bdi> {state}
    </>
  );
}

/** For those who hear it. */
export function describeDecision({
  testimonials,
  status,
}: Pick<Decision, 'testimonials' | 'status'>) {
  const [only, ...others] = testimonials;
  const who =
    only && others.length === 0 ? shownName(only.submitter_name) : countOf(testimonials.length);
  return `${who}: ${status}`;
}
