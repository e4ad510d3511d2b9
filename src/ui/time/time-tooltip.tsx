'use client';
import { Tooltip } from '@mantine/core';

/** These lines above an element, for as long as it is rendered. */
export function TimeTooltip(props: { target: HTMLElement | null; lines: string[] }) {
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
