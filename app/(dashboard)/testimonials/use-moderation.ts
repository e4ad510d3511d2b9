'use client';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Decisions, Testimonial } from './decisions';
import { rowId } from './inbox-row';
import { countOf } from './status-words';
import { describeDecision } from './undo-bar';
import { ownKeys } from './use-keys';
import type { InboxView, Status } from './view';

const nobody: ReadonlySet<string> = new Set();

export type Moderation = ReturnType<typeof useModeration>;

/** Where one is in the list, what is selected, and what keys and buttons decide. */
export function useModeration(input: {
  view: InboxView;
  testimonials: Testimonial[];
  /** How many there are in the view, once that is known. */
  total: number | undefined;
  decisions: Decisions;
  areKeysOn: boolean;
}) {
  const { view, testimonials, total, decisions, areKeysOn } = input;
  const [currentId, setCurrent] = useState<string>();
  const [chosenIds, setChosenIds] = useState(nobody);
  const [isAllSelected, setIsAllSelected] = useState(false);
  /** Of one element each, or the same words are not read twice. */
  const [news, setNews] = useState({ id: 0, text: '' });
  const tell = useCallback((text: string) => setNews(({ id }) => ({ id: id + 1, text })), []);
  /** Of which was told how much is in it; of the first the page says so. */
  const toldView = useRef(view);
  useEffect(() => {
    if (total === undefined || toldView.current === view) return;
    toldView.current = view;
    tell(countOf(total));
  }, [view, total, tell]);
  const latest = useRef({ testimonials, currentId, isAllSelected });
  useEffect(() => {
    latest.current = { testimonials, currentId, isAllSelected };
  });

  // Rows that are gone from the list are not decided on with the others, nor counted. Of all that
  // match, those are that are loaded later too.
  const selected = useMemo(() => {
    const ids = testimonials.map(({ id }) => id);
    return new Set(isAllSelected ? ids : ids.filter((id) => chosenIds.has(id)));
  }, [testimonials, chosenIds, isAllSelected]);

  const { size } = selected;
  const selectedCount = isAllSelected && size > 0 ? (total ?? size) : size;

  // Where it is gone, one goes on at its place, and not at the top.
  const place = useRef({ view, index: 0 });
  const found = testimonials.findIndex(({ id }) => id === currentId);
  const before = place.current.view === view ? place.current.index : 0;
  const index = found === -1 ? Math.min(before, testimonials.length - 1) : found;
  const current = testimonials[index];
  useEffect(() => {
    // Of rows that are still read there is none.
    if (index >= 0) place.current = { view, index };
  });

  const select = useCallback((ids: Iterable<string>) => {
    setIsAllSelected(false);
    setChosenIds(new Set(ids));
  }, []);

  // What is selected and not shown could be changed unseen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: of another view
  useEffect(() => select([]), [view, select]);

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
      const made = decisions.decide(chosen, status);
      setChosenIds((before) => new Set([...before].filter((id) => !isChosen.has(id))));
      const done = describeDecision(made ?? { testimonials: chosen, status });
      tell(`${done}.${made ? ` ${areKeysOn ? 'Z' : 'Undo'} takes it back.` : ''}`);
      goTo(rows.slice(from).find(isLeft) ?? rows.slice(0, from).findLast(isLeft));
    },
    [decisions, goTo, areKeysOn, tell],
  );

  return {
    current,
    setCurrent,
    news,
    selected,
    selectedCount,
    select,
    isAllSelected,
    selectAllThatMatch: () => setIsAllSelected(true),
    decide,

    toggle: useCallback((id: string) => {
      const { testimonials: rows, isAllSelected: wereAll } = latest.current;
      setIsAllSelected(false);
      setChosenIds((before) => {
        const after = new Set(wereAll ? rows.map((row) => row.id) : before);
        if (!after.delete(id)) after.add(id);
        return after;
      });
    }, []),

    undo() {
      const undone = decisions.undo();
      if (!undone) return;
      tell(`Taken back: ${describeDecision(undone)}`);
      goTo(undone.testimonials[0]);
    },

    /**
     * To the row after or before; where another thing has the focus, to the current one, or to the
     * first on the screen where one has scrolled away from that.
     */
    move(step: 1 | -1) {
      const at = testimonials.findIndex(({ id }) => rowId(id) === document.activeElement?.id);
      const isCurrentDrawn = current && document.getElementById(rowId(current.id));
      const start = isCurrentDrawn ? current : testimonials.find(({ id }) => isOnScreen(id));
      const next = at === -1 ? start : (testimonials[at + step] ?? testimonials[at]);
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

/** Where it is not drawn, as in another view, the focus stays where it is, or goes to the page. */
function focusRow(id: string | undefined): void {
  const row = id === undefined ? null : document.getElementById(rowId(id));
  const isLost = document.activeElement === document.body;
  if (row || isLost) (row ?? document.getElementById('content'))?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'nearest' });
}

/** Begins there. */
function isOnScreen(id: string): boolean {
  const top = document.getElementById(rowId(id))?.getBoundingClientRect().top;
  return top !== undefined && top >= 0 && top < window.innerHeight;
}
