'use client';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { InSight } from '../browser/in-sight';
import { tellDone } from '../browser/tell-done';
import { isGone } from '../calls/errors';
import { useSingleMutation } from '../calls/use-single-mutation';
import { ErrorNote } from '../components/error-note';
import { Folded } from '../components/folded';
import { Note } from '../components/note';

/** What a form calls the fields that it changes, and how it tells what one holds, where plain text is not it. */
export type FieldWords<Shown> = {
  [Name in keyof Shown]-?: { label: string; tell?: (value: Shown[Name]) => string };
};

type Made<Shown> = { [Name in keyof Shown]?: unknown };

type Other<Shown> = { name: keyof Shown; label: string; text: string };

export type Others = { label: string; text: string }[];

/** The fields that a save would set, and that are neither as they were shown nor as it makes them. */
function changedMeanwhile<Shown extends object>(
  words: FieldWords<Shown>,
  made: Made<Shown>,
  shown: Shown,
  now: Shown,
): Other<Shown>[] {
  const others: Other<Shown>[] = [];
  for (const name in words) {
    if (made[name] === undefined) continue;
    if (isSame(now[name], shown[name]) || isSame(now[name], made[name])) continue;
    const { label, tell = inWords } = words[name];
    others.push({ name, label, text: tell(now[name]) });
  }
  return others;
}

/** To a person, who sees no difference between a text or a list without anything in it and none. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(orNothing(one)) === JSON.stringify(orNothing(other));
}

function orNothing(value: unknown): unknown {
  return value === '' || (Array.isArray(value) && value.length === 0) ? null : value;
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ') || 'nothing';
  return String(value ?? '') || 'nothing';
}

/**
 * Saves what a form changed of something that there is, and nothing where that would replace what was not
 * shown in it: that is told, and once it is, may be saved. What is changed in the moment between the two
 * calls is replaced all the same. `shown` is what the form began with, and stays that.
 */
export function useSaveUnlessChanged<
  Shown extends object,
  Changes extends Made<Shown>,
  Row extends Shown,
>(props: {
  words: FieldWords<Shown>;
  shown: Shown;
  read: () => Promise<Row>;
  write: (changes: Changes) => Promise<Row>;
  /** Brings the page up to date with the row, as it was saved or as others made it. */
  onRow: (row: Row) => unknown;
}) {
  const queryClient = useQueryClient();
  /** As the person has been told that it is, field by field. */
  const shown = useRef(props.shown);
  const save = useSingleMutation({
    async mutationFn(changes: Changes): Promise<{ row: Row; others?: Others }> {
      const now = await props.read();
      const others = changedMeanwhile(props.words, changes, shown.current, now);
      for (const { name } of others) shown.current = { ...shown.current, [name]: now[name] };
      return others.length > 0 ? { row: now, others } : { row: await props.write(changes) };
    },
    onSuccess: ({ row }) => props.onRow(row),
    onError: (error) => {
      if (isGone(error)) void queryClient.invalidateQueries();
    },
  });
  return {
    isPending: save.isPending,
    error: save.error,
    others: save.data?.others,
    /** `next` follows only what was saved. */
    save(changes: Changes, next: (saved: Row) => void) {
      save.mutate(changes, {
        onSuccess: ({ row, others }) => {
          if (others) return;
          next(row);
          tellDone('Saved');
        },
      });
    },
  };
}

/** Why nothing was saved, brought into sight: it failed, or would have replaced what others made of it. */
export function NotSaved({ error, others }: { error: unknown; others?: Others }) {
  if (!error && !others) return null;
  return (
    <InSight>
      <ErrorNote error={error} />
      {others && (
        <Note tone="warning" role="alert">
          Not saved, because this was changed meanwhile. Save again to replace it.
          {others.map(({ label, text }) => (
            <Folded key={label} content={text}>
              {label}: <bdi>{text}</bdi>
            </Folded>
          ))}
        </Note>
      )}
    </InSight>
  );
}
