'use client';
import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FocusHeir } from '@/src/ui/browser/focus-heir';
import { tellDone } from '@/src/ui/browser/tell-done';
import { type Outputs, useTRPC } from '@/src/ui/calls/trpc';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { BusyButton } from '@/src/ui/components/busy-button';
import { ErrorNote } from '@/src/ui/components/error-note';
import { ToneBadge } from '@/src/ui/components/tone-badge';
import { Instant } from '@/src/ui/time/instant';
import classes from './account-settings.module.css';
import { Line } from './section';

type Session = Outputs['account']['sessions']['list'][number];

/** The browsers that are signed in, and how to end them. */
export function Sessions() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const sessions = useQuery(trpc.account.sessions.list.queryOptions());
  const onSettled = () => queryClient.invalidateQueries(trpc.account.sessions.list.queryFilter());
  const endOthers = useSingleMutation(
    trpc.account.sessions.endOthers.mutationOptions({
      onSuccess: () => tellDone('All others are signed out'),
      onSettled,
    }),
  );
  const others = sessions.data?.filter(({ is_current }) => !is_current) ?? [];
  if (!sessions.data) {
    return sessions.error ? (
      <ErrorNote error={sessions.error} retry={() => void sessions.refetch()} />
    ) : (
      <SessionsSkeleton />
    );
  }
  return (
    <Stack gap="sm">
      <ul className={classes.list}>
        {sessions.data.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            heir={neighbourOf(session, others)}
            onSettled={onSettled}
          />
        ))}
      </ul>
      <ErrorNote error={endOthers.error} />
      {others.length > 1 && (
        <Button
          variant="default"
          loading={endOthers.isPending}
          onClick={() => endOthers.mutate()}
          style={{ alignSelf: 'start' }}
        >
          Sign out all others
        </Button>
      )}
      {others.length > 0 && (
        <Text size="sm" c="dimmed">
          Don't recognise one? Sign it out and change your password.
        </Text>
      )}
    </Stack>
  );
}

const endButtonId = ({ id }: Session) => `end-${id}`;
const seenId = ({ id }: Session) => `seen-${id}`;

/** The button of the one below, else of the one above, which has the focus once this one is gone. */
function neighbourOf({ id }: Session, others: Session[]): string | undefined {
  const place = others.findIndex((other) => other.id === id);
  const neighbour = others[place + 1] ?? others[place - 1];
  return neighbour && endButtonId(neighbour);
}

function SessionRow(props: {
  session: Session;
  heir: string | undefined;
  onSettled: () => Promise<unknown>;
}) {
  const { session, onSettled } = props;
  // Of this one alone: several may be under way.
  const end = useMutation(
    useTRPC().account.sessions.end.mutationOptions({
      // The next button may have the same name.
      onSuccess: () => tellDone(`${session.device} is signed out`),
      onSettled,
    }),
  );
  const { device, address, last_seen_at, is_current } = session;
  return (
    <li className={classes.item}>
      <div className={classes.line}>
        <div style={{ minWidth: 0 }}>
          <Group gap={8} mih={22}>
            <Text size="sm" fw={500}>
              {device}
            </Text>
            {is_current && <ToneBadge tone="good">This browser</ToneBadge>}
          </Group>
          <Text
            id={seenId(session)}
            size="sm"
            c="dimmed"
            component="div"
            style={{ overflowWrap: 'anywhere' }}
          >
            {address && `From ${address}, `}
            {address ? 'seen ' : 'Seen '}
            <Instant at={last_seen_at} />
          </Text>
        </div>
        {!is_current && (
          <BusyButton
            id={endButtonId(session)}
            size="xs"
            // Its words are cut before those beside it are broken.
            flex="none"
            isBusy={end.isPending}
            aria-label={`Sign out ${device}`}
            // Two of one name are told apart by this.
            aria-describedby={seenId(session)}
            onClick={() => end.mutate({ id: session.id })}
          >
            Sign out
          </BusyButton>
        )}
      </div>
      <ErrorNote error={end.error} />
      <FocusHeir id={props.heir} />
    </li>
  );
}

/** As high as with one browser. */
export function SessionsSkeleton() {
  return (
    <Stack gap="sm">
      <div className={`${classes.item} ${classes.line}`}>
        <div>
          <Box mih={22}>
            <Line width={140} />
          </Box>
          <Line width={220} />
        </div>
      </div>
    </Stack>
  );
}
