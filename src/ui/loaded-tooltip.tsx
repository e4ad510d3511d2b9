'use client';
import { Tooltip } from '@mantine/core';

/** Open as long as it is rendered. What it says is told to screen readers by its target. */
export default function LoadedTooltip(props: { target: HTMLElement | null; lines: string[] }) {
  return (
    <Tooltip
      opened
      target={props.target}
      position="top"
      label={props.lines.map((line) => (
        <div key={line} className="numeric">
          {line}
        </div>
      ))}
    />
  );
}
