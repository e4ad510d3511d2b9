'use client';
import { Group, Text, UnstyledButton } from '@mantine/core';
import { Dimmed } from '@/src/ui/components/dimmed';
import { shownName } from '@/src/ui/components/shown-name';
import { Cell, Table, TableSkeleton } from '@/src/ui/components/table';
import classes from '@/src/ui/components/table.module.css';
import { ToneBadge } from '@/src/ui/components/tone-badge';
import { Instant } from '@/src/ui/time/instant';
import type { Delivery } from '@/src/webhooks/delivery-schema';
import { deliveryButtonId } from '../openers';
import { describeOutcome } from './delivery-hints';
import { DeliveryStateBadge } from './delivery-state';

const columns = ['Event', 'State', 'Answer', 'About', 'Attempts', 'Next retry', 'Time'];

export function DeliveryTable(props: {
  deliveries: Delivery[];
  canSend: boolean;
  onOpen: (id: string) => void;
}) {
  return (
    <Table columns={columns}>
      {props.deliveries.map((delivery) => (
        <tr key={delivery.id} className={classes.row}>
          <Cell>
            <Group gap="0 0.5rem">
              <UnstyledButton
                id={deliveryButtonId(delivery.id)}
                className={classes.open}
                fz="sm"
                style={{ whiteSpace: 'nowrap' }}
                onClick={() => props.onOpen(delivery.id)}
              >
                {delivery.event_type}
              </UnstyledButton>
              {delivery.is_test && <ToneBadge tone="over">Test</ToneBadge>}
            </Group>
          </Cell>
          <Cell label="State">
            <DeliveryStateBadge state={delivery.state} />
          </Cell>
          <Cell label="Answer">
            <Dimmed>{describeOutcome(delivery)}</Dimmed>
          </Cell>
          <Cell label="About">
            {delivery.resource_name ? (
              <div className={classes.held}>
                <Text
                  size="sm"
                  lineClamp={1}
                  className={classes.breaks}
                  title={delivery.resource_id}
                >
                  <bdi>{shownName(delivery.resource_name)}</bdi>
                </Text>
              </div>
            ) : (
              <Text size="xs" ff="monospace" c="dimmed" title={delivery.resource_id}>
                {delivery.resource_id.slice(0, 8)}…
              </Text>
            )}
          </Cell>
          <Cell label="Attempts">
            <Text size="sm" className="numeric">
              {delivery.attempt_count}
            </Text>
          </Cell>
          <Cell label="Next retry">
            <Dimmed>
              <NextAttempt at={delivery.next_attempt_at} canSend={props.canSend} />
            </Dimmed>
          </Cell>
          <Cell label="Time">
            <Dimmed>
              <Instant at={delivery.created_at} />
            </Dimmed>
          </Cell>
        </tr>
      ))}
    </Table>
  );
}

function NextAttempt({ at, canSend }: { at: string | null; canSend: boolean }) {
  if (at === null) return 'None';
  return canSend ? <Instant at={at} isToCome /> : 'Once resumed';
}

export function DeliveryTableSkeleton() {
  return <TableSkeleton columns={columns} />;
}
