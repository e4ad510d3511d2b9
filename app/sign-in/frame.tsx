import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { NeedsScript } from '@/app/needs-script';
import { Logo } from '@/src/ui/components/logo';
import classes from './frame.module.css';

/** A small card in the middle of the page. */
export function Frame(props: {
  title: string;
  text: string;
  children: ReactNode;
  below: ReactNode;
}) {
  return (
    <main className={classes.root}>
      <div className={classes.card}>
        <Logo size={36} />
        <Title order={1} fz={22} mt="lg">
          {props.title}
        </Title>
        <Text c="dimmed" size="sm" mt={4} mb="lg">
          {props.text}
        </Text>
        <NeedsScript />
        {props.children}
      </div>
      <Text size="sm" c="dimmed" ta="center" component="div">
        {props.below}
      </Text>
    </main>
  );
}
