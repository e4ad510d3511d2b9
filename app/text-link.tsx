'use client';
import { Anchor } from '@mantine/core';
import Link from 'next/link';
import type { ReactNode } from 'react';

/** A link within text, to a page of ours. */
export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor component={Link} href={href} size="sm" underline="always">
      {children}
    </Anchor>
  );
}
