'use client';
import { Button, Group } from '@mantine/core';
import { useSearchParams } from 'next/navigation';
import { type ReactNode, useEffect, useState } from 'react';
import type { Mode } from '@/src/mode';
import { steppedFrom } from '@/src/ui/browser/use-view';
import { EmptyState } from '@/src/ui/components/empty-state';
import { ErrorNote } from '@/src/ui/components/error-note';
import { FlaskConical } from '@/src/ui/components/icons';
import { useMode } from '@/src/ui/session/shown-mode';
import { useSwitch } from './use-switch';

/**
 * Addresses of pages with test data say so, as `?mode=test`, also where they are copied out of the
 * window. Opened while what is live is shown, such a page asks first: no link switches the mode, which
 * all tabs have in common.
 */
export function ModeOfAddress({ children }: { children: ReactNode }) {
  const mode = useMode();
  const isOfTest = useSearchParams().get('mode') === 'test';
  // The router hears of changed addresses once it is mounted, which is after its children.
  const [isMounted, setIsMounted] = useState(false);
  useEffect(() => setIsMounted(true), []);
  useEffect(() => {
    if (isMounted && mode === 'test' && !isOfTest) setMode('test');
  }, [isMounted, mode, isOfTest]);
  if (mode === 'test' || !isOfTest) return children;
  return (
    <OtherMode
      title="This link is to test data"
      to="test"
      action="Switch to test mode"
      stay={
        <Button variant="default" onClick={() => setMode('live')}>
          Stay with what is live
        </Button>
      }
    >
      You are looking at what is live. Test mode is switched in every tab that you have open.
    </OtherMode>
  );
}

/** Offers this address in the other mode; with `missing`, an icon, as a page that is not there in this one. */
export function OtherMode(props: {
  missing?: ReactNode;
  title: string;
  to: Mode;
  action: string;
  stay: ReactNode;
  children: ReactNode;
}) {
  const change = useSwitch(props.to);
  return (
    <EmptyState
      icon={props.missing ?? <FlaskConical size={20} />}
      isPage
      title={props.title}
      action={
        <Group gap="sm" justify="center">
          {props.stay}
          <Button
            variant={props.missing ? 'default' : 'filled'}
            loading={change.isPending || change.isSuccess}
            onClick={() => change.mutate(addressIn(props.to))}
          >
            {props.action}
          </Button>
          <ErrorNote error={change.error} />
        </Group>
      }
    >
      {props.children}
    </EmptyState>
  );
}

/** This address, as one of that mode. */
function addressIn(mode: Mode): string {
  const { pathname, search } = window.location;
  const query = new URLSearchParams(search);
  if (mode === 'test') query.set('mode', 'test');
  else query.delete('mode');
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}

/** Of a step it stays known that it is one, so that closing what it opened goes back. */
function setMode(mode: Mode): void {
  const state = { steppedFrom: steppedFrom() };
  window.history.replaceState(state, '', addressIn(mode) + window.location.hash);
}
