'use client';
import { Button, Group, Title } from '@mantine/core';
import { Steps } from './steps';
import classes from './steps.module.css';

/** The steps on a page, where no key is shown any more. */
export function FirstSteps({ onHide }: { onHide?: () => void }) {
  return (
    <section className={classes.frame} aria-labelledby="first-steps">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="first-steps">
          Your first testimonial
        </Title>
        {onHide && (
          <Button size="xs" variant="default" onClick={onHide}>
            Hide the steps
          </Button>
        )}
      </Group>
      <Steps />
    </section>
  );
}
