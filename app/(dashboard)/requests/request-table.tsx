'use client';
import { Text, UnstyledButton } from '@mantine/core';
import { Fragment } from 'react';
import type { Outputs } from '@/src/ui/calls/trpc';
import { Cell, Table, TableSkeleton } from '@/src/ui/components/table';
import tableClasses from '@/src/ui/components/table.module.css';
import { KeyName } from './key-name';
import { LogTime } from './log-time';
import { requestButtonId } from './openers';
import classes from './requests.module.css';
import { StatusBadge } from './status-badge';

type Line = Outputs['requests']['list']['data'][number];

const columns = ['Request', 'Status', 'What was wrong', 'Duration', 'Key', 'Time'];
const number = new Intl.NumberFormat('en');

export function RequestTable(props: { lines: Line[]; onOpen: (id: string) => void }) {
  return (
    <div className={classes.table}>
      <Table columns={columns}>
        {props.lines.map((line) => (
          <tr key={line.id} className={tableClasses.row}>
            <Cell>
              {line.method === null ? (
                <Text size="sm" c="dimmed">
                  {line.count === 1
                    ? 'One more in that minute'
                    : `${number.format(line.count)} more in that minute`}
                </Text>
              ) : (
                <UnstyledButton
                  id={requestButtonId(line.id)}
                  className={`${tableClasses.open} ${classes.request}`}
                  onClick={() => props.onOpen(line.id)}
                >
                  <span className={classes.method}>{line.method}</span>{' '}
                  <Path path={line.route ?? line.path ?? ''} />
                </UnstyledButton>
              )}
            </Cell>
            <Cell label="Status">
              <StatusBadge status={line.status} />
            </Cell>
            <Cell label="What was wrong">
              <Text
                size="xs"
                c="dimmed"
                className={classes.reason}
                title={line.reason ?? undefined}
              >
                {line.reason}
              </Text>
            </Cell>
            <Cell label="Duration">
              <Dimmed>{line.duration_ms !== null && <Duration ms={line.duration_ms} />}</Dimmed>
            </Cell>
            <Cell label="Key">
              <Text size="xs" c="dimmed" className={classes.key}>
                <KeyName of={line} />
              </Text>
            </Cell>
            <Cell label="Time">
              <Dimmed>
                <LogTime at={line.received_at} />
              </Dimmed>
            </Cell>
          </tr>
        ))}
      </Table>
    </div>
  );
}

/** Where it takes two lines, broken at a slash if it can be. */
function Path({ path }: { path: string }) {
  const [first, ...parts] = path.split('/');
  let from = 0;
  return (
    <>
      {first}
      {parts.map((part) => {
        from += part.length + 1;
        return (
          <Fragment key={from}>
            /<wbr />
            {part}
          </Fragment>
        );
      })}
    </>
  );
}

/** `0.4 ms`, `120 ms`, `2.1 s`. */
export function Duration({ ms }: { ms: number }) {
  if (ms >= 1000) return <>{(ms / 1000).toFixed(1)} s</>;
  return <>{ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms</>;
}

function Dimmed({ children }: { children: React.ReactNode }) {
  return (
    <Text size="xs" c="dimmed" component="div" className={`numeric ${classes.line}`}>
      {children}
    </Text>
  );
}

export function RequestTableSkeleton() {
  return (
    <div className={classes.table}>
      <TableSkeleton columns={columns} />
    </div>
  );
}
