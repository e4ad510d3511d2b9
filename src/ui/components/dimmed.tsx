import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** In a cell of a table: what is said beside, in one line. */
export function Dimmed({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" component="div" style={{ whiteSpace: 'nowrap' }}>
      {children}
    </Text>
  );
}
