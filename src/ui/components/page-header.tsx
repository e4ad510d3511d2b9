import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** The title of a page, one sentence on what it is for, and its main action. */
export function PageHeader(props: {
  title: ReactNode;
  text?: ReactNode;
  action?: ReactNode;
  tight?: boolean;
}) {
  return (
    <Group justify="space-between" align="flex-start" gap="md" mb={props.tight ? 0 : 'lg'}>
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Title order={1} size="h2" fz={22}>
          {props.title}
        </Title>
        {props.text && (
          <Text c="dimmed" size="sm" mt={4} component="div">
            {props.text}
          </Text>
        )}
      </div>
      {props.action}
    </Group>
  );
}
