'use client';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Decisions, Testimonial } from './decisions';
import { rowId } from './inbox-row';
import { describeDecision } from './undo-bar';
import { ownKeys } from './use-keys';
import type { InboxView, Status } from './view';

const nobody: ReadonlySet<string> = new Set();

export type Moderation = ReturnType<typeof useModeration>;

/** Where one is in the list, what is selected, and what keys and buttons decide. */
export function useModeration(input: {
  view: InboxView;
  testimonials: Testimonial[];
  decisions: Decisions;
  areKeysOn: boolean;
}) {
  const { testimonials, decisions, areKeysOn } = input;
  const [currentId, setCurrent] = useState<string>();
  const [chosenIds, setChosenIds] = useState(nobody);
  const [isAllSelected, setIsAllSelected] = useState(false);
  const [news, setNews] = useState('');
  const latest = useRef({ testimonials, currentId });
  useEffect(() => {
    latest.current = { testimonials, currentId };
  });

  // Rows that are gone from the list are not decided on with the others, nor counted.
  const selected = useMemo(
    () => new Set(testimonials.map(({ id }) => id).filter((id) => chosenIds.has(id))),
    [testimonials, chosenIds],
  );

  const current = testimonials.find(({ id }) => id === currentId) ?? testimonials[0];

  const select = useCallback((ids: Iterable<string>) => {
    setIsAllSelected(false);
    setChosenIds(new Set(ids));
  }, []);

  // What is selected and not shown could be changed unseen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: of another view
  useEffect(() => select([]), [input.view, select]);

  /** Goes up with every move: what a later key has moved is not taken back. */
  const moves = useRef(0);
  // At once, for the key that is pressed next; and after the rows are drawn, and a dialog has given
  // the focus back.
  const goTo = useCallback((testimonial: Testimonial | undefined) => {
    moves.current += 1;
    const move = moves.current;
    setCurrent(testimonial?.id);
    focusRowUnlessWriting(testimonial?.id);
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (moves.current === move) focusRowUnlessWriting(testimonial?.id);
      }),
    );
  }, []);

  const decide = useCallback(
    (chosen: Testimonial[], status: Status) => {
      const { testimonials: rows, currentId: id } = latest.current;
      const isChosen = new Set(chosen.map((row) => row.id));
      const start = chosen.length === 1 ? chosen[0]?.id : id;
      const from = Math.max(
        0,
        rows.findIndex((row) => row.id === start),
      );
      const isLeft = (row: Testimonial) => !isChosen.has(row.id);
      decisions.decide(chosen, status);
      setChosenIds((before) => new Set([...before].filter((id) => !isChosen.has(id))));
      const undo = areKeysOn ? 'Z' : 'Undo';
      setNews(`${describeDecision({ testimonials: chosen, status })}. ${undo} takes it back.`);
      goTo(rows.slice(from).find(isLeft) ?? rows.slice(0, from).findLast(isLeft));
    },
    [decisions, goTo, areKeysOn],
  );

  return {
    current,
    setCurrent,
    news,
    selected,
    select,
    isAllSelected,
    selectAllThatMatch: () => setIsAllSelected(true),
    decide,

    toggle: useCallback((id: string) => {
      setIsAllSelected(false);
      setChosenIds((before) => {
        const after = new Set(before);
        if (!after.delete(id)) after.add(id);
        return after;
      });
    }, []),

    undo() {
      const undone = decisions.undo();
      if (!undone) return;
      setNews(`Taken back: ${describeDecision(undone)}`);
      goTo(undone.testimonials[0]);
    },

    /** To the row after or before; to the current one where another thing has the focus. */
    move(step: 1 | -1) {
      const at = testimonials.findIndex(({ id }) => rowId(id) === document.activeElement?.id);
      const next = at === -1 ? current : (testimonials[at + step] ?? testimonials[at]);
      moves.current += 1;
      setCurrent(next?.id);
      focusRow(next?.id);
    },
  };
}

/** Where one has gone to write, what is written would be taken for keys; a dialog keeps the focus. */
function focusRowUnlessWriting(id: string | undefined): void {
  if (!document.activeElement?.closest(ownKeys)) focusRow(id);
}

function focusRow(id: string | undefined): void {
  const row = id === undefined ? null : document.getElementById(rowId(id));
  (row ?? document.getElementById('content'))?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'nearest' });
}
