'use client';
import { Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Outputs, useTRPC } from '@/src/ui/calls/trpc';
import { CopyButton } from '@/src/ui/code/copy-button';
import { ErrorNote } from '@/src/ui/components/error-note';
import { Note } from '@/src/ui/components/note';
import type { Neighbours } from '@/src/ui/overlays/neighbours';
import { Sheet, SheetSection } from '@/src/ui/overlays/sheet';
import { KeyName } from './key-name';
import { LogTime } from './log-time';
import { requestButtonId } from './openers';
import { Duration } from './request-table';
import classes from './requests.module.css';
import { SentFields } from './sent-fields';
import { StatusBadge } from './status-badge';

type Request = Outputs['requests']['get'];

/** Everything about one request, beside the log it is from. */
export function RequestSheet(props: { id: string; neighbours: Neighbours; onClose: () => void }) {
  const { id, neighbours, onClose } = props;
  return (
    <Sheet title="Request" opener={requestButtonId(id)} neighbours={neighbours} onClose={onClose}>
      <Details id={id} />
    </Sheet>
  );
}

function Details({ id }: { id: string }) {
  const request = useQuery(useTRPC().requests.get.queryOptions({ id }));
  if (request.data) return <Content request={request.data} />;
  if (request.error) {
    return <ErrorNote error={request.error} retry={() => void request.refetch()} />;
  }
  return (
    <Stack gap="md" role="status" aria-label="Loading">
      <Skeleton height={22} width={260} />
      <Skeleton height={36} />
      <Skeleton height={120} />
    </Stack>
  );
}

function Content({ request }: { request: Request }) {
  const { problems, query, body } = request;
  return (
    <Stack gap="lg">
      <div>
        {/* Read when it comes: the focus stays on the button of the last step. */}
        <Group gap="sm" wrap="nowrap" align="flex-start" role="status">
          <Title order={3} fz={15} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {request.method} {request.path}
          </Title>
          <StatusBadge status={request.status} />
        </Group>
        <Text size="sm" c="dimmed" mt={4} component="div">
          <LogTime at={request.received_at} />
          {request.duration_ms !== null && (
            <>
              {' · '}
              <span className="numeric">
                <Duration ms={request.duration_ms} />
              </span>
            </>
          )}
        </Text>
      </div>
      {request.code !== null && (
        <Note tone={request.status >= 500 ? 'bad' : 'warning'}>
          <b>{request.code}</b>
          {problems.length === 0 && <div>{request.reason}</div>}
          {problems.length > 0 && (
            <ul style={{ margin: '0.25rem 0 0', paddingInlineStart: '1.125rem' }}>
              {problems.map(({ path, message }) => (
                <li key={`${path} ${message}`}>
                  {path && <span className={classes.mono}>{path}</span>}
                  {path && ': '}
                  {message}
                </li>
              ))}
              {request.more_problems > 0 && <li>and {request.more_problems} more</li>}
            </ul>
          )}
        </Note>
      )}
      {query.length > 0 && (
        <SheetSection title="Query">
          <SentFields fields={query} />
        </SheetSection>
      )}
      {body !== null && (
        <SheetSection title="Body">
          {typeof body === 'string' ? <Text size="sm">{body}</Text> : <SentFields fields={body} />}
        </SheetSection>
      )}
      {request.is_cut && (
        <Text size="xs" c="dimmed">
          Query and body were too long to be kept.
        </Text>
      )}
      <SheetSection title="Details">
        <table className={classes.fields}>
          <tbody>
            <Fact name="Route">
              <span className={classes.mono}>{request.route ?? 'None of the API'}</span>
            </Fact>
            <Fact name="Key">
              <KeyName of={request} />{' '}
              {request.key_hint && <span className={classes.mono}>{request.key_hint}</span>}
            </Fact>
            <Fact name="X-Request-Id">
              <Group gap="xs" wrap="nowrap">
                <span className={classes.mono}>{request.id}</span>
                <CopyButton text={request.id} label="Copy the X-Request-Id" />
              </Group>
            </Fact>
          </tbody>
        </table>
      </SheetSection>
      <Text size="xs" c="dimmed">
        We keep field names and lengths; values only if they are ids, numbers or fixed words of the
        API.
        {body === null && request.status < 400 && ' Of a request that succeeded, no body is kept.'}
      </Text>
    </Stack>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <tr>
      <th scope="row" style={{ verticalAlign: 'middle', width: '6.875rem' }}>
        {name}
      </th>
      <td>{children}</td>
    </tr>
  );
}
