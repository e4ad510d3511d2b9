import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';

export type Tone = 'good' | 'warning' | 'bad' | 'over';

const colors: Record<Tone, string> = { good: 'green', warning: 'yellow', bad: 'red', over: 'gray' };

/** A state in a word; the colour only repeats what the word says. */
export function ToneBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <Badge color={colors[tone]} variant="light" size="md" radius="sm" tt="none" fw={500}>
      {children}
    </Badge>
  );
}
