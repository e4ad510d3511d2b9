'use client';
import { Group, Loader, Text } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { Check } from '@/src/ui/components/icons';
import classes from './steps.module.css';

/**
 * One step: what it is, whether it is done, and what to do while it is open. What it has shown once
 * stays behind when it closes: it may be a secret that is never shown again.
 */
export function Step(props: {
  number: number;
  title: string;
  isDone: boolean;
  isOpen: boolean;
  onOpen: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const [wasOpen, setWasOpen] = useState(props.isOpen);
  if (props.isOpen && !wasOpen) setWasOpen(true);
  return (
    <li className={classes.step}>
      <button
        type="button"
        className={classes.title}
        aria-expanded={props.isOpen}
        aria-controls={id}
        onClick={props.onOpen}
      >
        <span className={classes.number} data-done={props.isDone || undefined} aria-hidden>
          {props.isDone ? <Check size={14} /> : props.number}
        </span>
        <span>{props.title}</span>
        {props.isDone && <span className="visually-hidden">, complete</span>}
      </button>
      <div id={id} className={classes.body} hidden={!props.isOpen}>
        {wasOpen && props.children}
      </div>
    </li>
  );
}

/** That something is waited for, which comes from elsewhere. */
export function Waiting({ children }: { children: ReactNode }) {
  return (
    <Group gap={8} role="status" mih={24}>
      <Loader size={16} color="gray" aria-hidden />
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    </Group>
  );
}
