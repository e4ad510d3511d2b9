'use client';
import { SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { useEffect, useState } from 'react';

export function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  // The server does not know what this browser has chosen.
  const [isMounted, setIsMounted] = useState(false);
  useEffect(() => setIsMounted(true), []);
  return (
    <SegmentedControl
      aria-label="Appearance"
      value={isMounted ? colorScheme : 'auto'}
      onChange={(value) => {
        if (value === 'light' || value === 'dark' || value === 'auto') setColorScheme(value);
      }}
      data={[
        { value: 'auto', label: 'System' },
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ]}
    />
  );
}
