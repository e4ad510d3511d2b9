import { Skeleton, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './account-settings.module.css';

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section} aria-label={title}>
      <Title order={2} fz={15} mb="sm">
        {title}
      </Title>
      {children}
    </section>
  );
}

/** As high as a line of text. */
export function Line({ width }: { width: number }) {
  return (
    <Text size="sm" component="div">
      <Skeleton height={12} width={width} display="inline-block" />
    </Text>
  );
}
