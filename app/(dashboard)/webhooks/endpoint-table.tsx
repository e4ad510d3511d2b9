'use client';
import { Text } from '@mantine/core';
import Link from 'next/link';
import { Dimmed } from '@/src/ui/components/dimmed';
import { Cell, Table, TableSkeleton } from '@/src/ui/components/table';
import classes from '@/src/ui/components/table.module.css';
import { Instant } from '@/src/ui/time/instant';
import { webhookLimits } from '@/src/webhooks/limits';
import { type Endpoint, EndpointStatus, switchOffReason } from './endpoint-status';
import { describeEvents } from './events';
import { SuccessBar } from './success-bar';

const columns = ['Endpoint', 'Events', 'Status', 'Last 24 h', 'Last delivery'];

export function EndpointTable({ endpoints }: { endpoints: Endpoint[] }) {
  return (
    <Table columns={columns}>
      {endpoints.map((endpoint) => (
        <tr key={endpoint.id} className={classes.row}>
          <Cell>
            <div style={{ minWidth: 0 }}>
              <Link href={`/webhooks/${endpoint.id}`} className={classes.open}>
                {/* Whole on the page that it opens. */}
                <Text component="bdi" inherit lineClamp={3}>
                  {endpoint.url}
                </Text>
              </Link>
              {endpoint.description && (
                <Text size="xs" c="dimmed">
                  <bdi>{endpoint.description}</bdi>
                </Text>
              )}
            </div>
          </Cell>
          <Cell label="Events">{describeEvents(endpoint.event_types)}</Cell>
          <Cell label="Status">
            <div>
              <EndpointStatus status={endpoint.status} />
              {endpoint.disabled_reason && (
                <Text size="xs" c="dimmed" mt={2} maw={220}>
                  {switchOffReason(endpoint)}
                </Text>
              )}
            </div>
          </Cell>
          <Cell label="Last 24 h">
            <SuccessBar endpoint={endpoint} />
          </Cell>
          <Cell label="Last delivery">
            <Dimmed>
              {endpoint.last_delivery ? (
                <Instant at={endpoint.last_delivery.created_at} />
              ) : (
                `None in ${webhookLimits.logDays} days`
              )}
            </Dimmed>
          </Cell>
        </tr>
      ))}
    </Table>
  );
}

export function EndpointTableSkeleton() {
  return <TableSkeleton columns={columns} />;
}
