import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

/** What stands where there is nothing yet: what it is for, and how to begin. Its title may be the page's. */
export function EmptyState(props: {
  icon: ReactNode;
  title: string;
  isPage?: boolean;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <Stack className={classes.root} align="center" gap="xs">
      <div className={classes.icon} aria-hidden>
        {props.icon}
      </div>
      <Title order={props.isPage ? 1 : 2} size="h4" ta="center">
        {props.title}
      </Title>
      <Text c="dimmed" size="sm" maw={440} ta="center" component="div">
        {props.children}
      </Text>
      {props.action && <div className={classes.action}>{props.action}</div>}
    </Stack>
  );
}
