import { Stack, Text, Timeline } from '@mantine/core';
import { CodeBlock } from '@/src/ui/code/code-block';
import { formatBody } from '@/src/ui/code/format-body';
import { Disclosure } from '@/src/ui/components/disclosure';
import { Check, X } from '@/src/ui/components/icons';
import { Instant } from '@/src/ui/time/instant';
import type { DeliveryWithAttempts } from '@/src/webhooks/delivery-schema';
import { describeOutcome, hint } from './delivery-hints';
import { headerText } from './delivery-request';

/** Every try of a delivery with the answer it got, the latest first. */
export function Attempts({ delivery, url }: { delivery: DeliveryWithAttempts; url: string }) {
  if (delivery.attempts.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Not tried yet.
      </Text>
    );
  }
  return (
    <Timeline active={delivery.attempts.length} bulletSize={22} lineWidth={1}>
      {delivery.attempts.toReversed().map((attempt) => {
        const hasSucceeded = attempt.error_class === null;
        return (
          <Timeline.Item
            key={attempt.number}
            color={hasSucceeded ? 'green' : 'red'}
            bullet={hasSucceeded ? <Check size={13} /> : <X size={13} />}
            title={
              <Text size="sm" fw={500} component="span">
                {describeOutcome(attempt)}
              </Text>
            }
          >
            <Text size="xs" c="dimmed" component="div">
              Attempt {attempt.number} · <Instant at={attempt.started_at} /> ·{' '}
              <span className="numeric">{attempt.duration_ms} ms</span>
            </Text>
            {attempt.url !== null && attempt.url !== url && (
              <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                Sent to <bdi>{attempt.url}</bdi>, where the endpoint was then.
              </Text>
            )}
            {!hasSucceeded && (
              <Text size="sm" mt={4}>
                {hint(attempt)}
              </Text>
            )}
            <Answer attempt={attempt} />
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}

function Answer({ attempt }: { attempt: DeliveryWithAttempts['attempts'][number] }) {
  const { number, response_status, response_headers, response_body } = attempt;
  return (
    <Stack gap="xs" mt={8}>
      {response_status !== null && response_body === null && (
        <Text size="sm" c="dimmed">
          This answer was not kept: your endpoints have answered too much in a day.
        </Text>
      )}
      {response_body && (
        <CodeBlock text={formatBody(response_body)} label={`answer to attempt ${number}`} />
      )}
      {response_headers && response_headers.length > 0 && (
        <Disclosure title="Headers of the answer">
          <CodeBlock
            text={response_headers.map(headerText).join('\n')}
            label={`headers of the answer to attempt ${number}`}
          />
        </Disclosure>
      )}
    </Stack>
  );
}
