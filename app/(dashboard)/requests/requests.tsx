'use client';
import { Button, Group, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { FocusHeir } from '@/src/ui/browser/focus-heir';
import { type Changes, useView } from '@/src/ui/browser/use-view';
import { EmptyState } from '@/src/ui/components/empty-state';
import { ErrorNote } from '@/src/ui/components/error-note';
import { Inbox, X } from '@/src/ui/components/icons';
import { ShowOlder } from '@/src/ui/components/show-older';
import { neighboursIn, stepFrom } from '@/src/ui/overlays/neighbours';
import { shownLater } from '@/src/ui/overlays/shown-later';
import { Filters, timeId } from './filters';
import { RequestsHeader } from './header';
import { NoRequests } from './no-requests';
import { requestButtonId } from './openers';
import { RequestTable, RequestTableSkeleton } from './request-table';
import { isFiltered, type RequestsView, requestsForm } from './requests-view';
import { useRequestLines } from './use-request-lines';
import { hourFormat, VolumeChart } from './volume-chart';

const RequestSheet = shownLater(async () => (await import('./request-sheet')).RequestSheet, {
  isInAddress: true,
});

/** The log of requests. `routes` are method and template, as the API has them. */
export function Requests({ routes }: { routes: string[] }) {
  const { view, change } = useView(requestsForm);
  const [isLive, setIsLive] = useState(true);
  const { request: _, ...filters } = view;
  return (
    <>
      <RequestsHeader
        action={
          <Switch
            label="Auto-refresh"
            checked={isLive}
            onChange={(event) => setIsLive(event.currentTarget.checked)}
          />
        }
      />
      <Stack gap="md">
        <VolumeChart
          view={view}
          isLive={isLive}
          onHour={(hour) => change({ hour, time: undefined })}
        />
        <Filters routes={routes} view={view} change={change} />
        {view.hour && (
          <Group gap="xs">
            <Button
              size="compact-sm"
              variant="default"
              rightSection={<X size={13} />}
              onClick={() => change({ hour: undefined })}
            >
              {/* By the clock of the reader, which the server does not know. */}
              <span suppressHydrationWarning>
                The hour from {hourFormat.format(new Date(view.hour))}
              </span>
            </Button>
            <FocusHeir id={timeId} />
          </Group>
        )}
        <Lines key={requestsForm.format(filters)} view={view} change={change} isLive={isLive} />
      </Stack>
    </>
  );
}

function Lines(props: {
  view: RequestsView;
  change: (changes: Changes<RequestsView>) => void;
  isLive: boolean;
}) {
  const { view, change } = props;
  const log = useRequestLines(view, props.isLive);
  const { lines } = log;
  const requests = lines?.filter(({ method }) => method !== null).map(({ id }) => id) ?? [];
  return (
    <>
      {log.isPending && <RequestTableSkeleton />}
      <ErrorNote error={log.error} retry={log.retry} />
      {lines?.length === 0 && (isFiltered(view) ? <NoMatch /> : <NoRequests />)}
      {lines && lines.length > 0 && (
        <RequestTable lines={lines} onOpen={(request) => change({ request })} />
      )}
      {log.hasOlder && (
        <ShowOlder
          isPending={log.older.isPending}
          error={log.older.error}
          heir={requestButtonId(lines?.at(-1)?.id ?? '')}
          onClick={log.showOlder}
        />
      )}
      {log.isCut && (
        <Text size="sm" c="dimmed" ta="center">
          There are more. Choose a status, a route or a time to find them.
        </Text>
      )}
      {view.request && (
        <RequestSheet
          id={view.request}
          neighbours={{
            ...neighboursIn(requests, view.request),
            onStep: (to) => change((now) => ({ request: stepFrom(requests, now.request, to) })),
          }}
          onClose={() => change({ request: undefined })}
        />
      )}
    </>
  );
}

function NoMatch() {
  return (
    <div role="status">
      <EmptyState icon={<Inbox size={20} />} title="No request matches">
        Choose another status, route, key or time to see more.
      </EmptyState>
    </div>
  );
}
