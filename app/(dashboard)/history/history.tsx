'use client';
import { Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEntry } from '@/src/audit/schema';
import { useTRPC } from '@/src/ui/calls/trpc';
import { ErrorNote } from '@/src/ui/components/error-note';
import { Folded } from '@/src/ui/components/folded';
import { ShowOlder } from '@/src/ui/components/show-older';
import { Instant } from '@/src/ui/time/instant';
import classes from './history.module.css';
import { HistorySkeleton } from './history-skeleton';
import { historyInput, historyPaging } from './paging';
import { actorOf, changesOf, deedOf } from './words';

/**
 * Who changed which key or endpoint, newest first; of one of them alone with its id. `isFresh` asks
 * anew when it is shown, whatever is known.
 */
export function History(props: { subjectId?: string; isFresh?: boolean }) {
  const pages = useInfiniteQuery(
    useTRPC().audit.list.infiniteQueryOptions(historyInput(props.subjectId), {
      ...historyPaging,
      ...(props.isFresh && { staleTime: 0 }),
    }),
  );
  const entries = pages.data?.pages.flatMap(({ data }) => data);
  if (pages.isPending) return <HistorySkeleton />;
  return (
    <Stack gap="sm" align="start">
      {entries?.length === 0 && (
        <Text size="sm" c="dimmed">
          Changes to keys and webhook endpoints are listed here for a year, the newest 10,000 of
          them.
        </Text>
      )}
      {entries && entries.length > 0 && (
        <ul className={classes.list}>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      {!entries && <ErrorNote error={pages.error} retry={() => void pages.refetch()} />}
      {pages.hasNextPage && (
        <ShowOlder
          isPending={pages.isFetchingNextPage}
          error={pages.isFetchNextPageError && pages.error}
          onClick={() => void pages.fetchNextPage()}
        />
      )}
    </Stack>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { subject, actor } = entry;
  const who = actorOf(entry);
  const changes = changesOf(entry);
  return (
    <li className={classes.item}>
      <Text size="sm" component="div" className={classes.deed}>
        <Folded content={subject.name}>
          {who.kind} {who.name && <bdi className={classes.name}>{who.name}</bdi>}{' '}
          {actor.hint && <span className={classes.hint}>{actor.hint} </span>}
          {deedOf(entry)} <bdi className={classes.name}>{subject.name}</bdi>{' '}
          {subject.hint && <span className={classes.hint}>{subject.hint}</span>}
        </Folded>
      </Text>
      <Text size="sm" c="dimmed" component="div">
        <Instant at={entry.created_at} />
        {actor.address && <>, from {actor.address}</>}
      </Text>
      {changes.length > 0 && (
        <dl className={classes.changes}>
          {changes.map(({ name, before, after }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Folded content={after}>
                  {before !== undefined && (
                    <>
                      <bdi>{before}</bdi> <span aria-hidden>→</span>
                      <span className="visually-hidden">, now</span>{' '}
                    </>
                  )}
                  <bdi>{after}</bdi>
                </Folded>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}
