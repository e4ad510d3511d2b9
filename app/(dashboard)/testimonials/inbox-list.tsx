'use client';
import { observeWindowOffset, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { Testimonial } from './decisions';
import classes from './inbox.module.css';
import { InboxRow, type RowActions } from './inbox-row';
import type { Status } from './view';

/** As `--row-height` in the styles, in rem: so high is a row that is not unfolded. */
const rowHeight = { wide: 8.25, medium: 9.375, narrow: 13 };

/** Of a reader who has not chosen another size of text. */
const usualRemPx = 16;

/** Of a window that the server draws for: the rows that it sends. */
const firstRect = { width: 1280, height: 800 };

const overscan = 6;

/** A scroll farther than this from what is loaded goes there at once, and not page by page. */
const farRows = 150;

type Props = RowActions & {
  testimonials: Testimonial[];
  /** Rows above the first of them, which are out of memory. */
  rowsBefore: number;
  total: number;
  statusOf: (testimonial: Testimonial) => Status;
  showsStatus: boolean;
  current: string | undefined;
  selected: ReadonlySet<string>;
  isBusy: boolean;
  /** Whether no more rows are to be asked for. */
  isHeld: boolean;
  onNearStart: () => void;
  onNearEnd: () => void;
  onFarAbove: (index: number) => void;
};

/** The rows near the screen, and as much room as the others take. WAI-ARIA APG, feed. */
export function InboxList(props: Props) {
  const { testimonials, rowsBefore, isHeld } = props;
  const frame = useRef<HTMLDivElement>(null);
  const height = useRowHeight();
  const count = rowsBefore + testimonials.length;
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => height,
    overscan,
    initialRect: firstRect,
    // The server draws the top, and so does the browser at first: it may have been scrolled before
    // the page listens. Where it is by then is told at once.
    initialOffset: 0,
    observeElementOffset: (instance, report) => {
      const stop = observeWindowOffset(instance, report);
      report(window.scrollY, false);
      return stop;
    },
    scrollMargin: frame.current?.offsetTop ?? 0,
    getItemKey: (index) => testimonials[index - rowsBefore]?.id ?? index,
    useFlushSync: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was measured had the other height
  useEffect(() => virtualizer.measure(), [height]);
  const items = virtualizer.getVirtualItems();
  const first = items[0];
  const last = items.at(-1);

  const firstIndex = first?.index ?? 0;
  const lastIndex = last?.index ?? 0;
  const { onNearStart, onNearEnd, onFarAbove } = props;
  useEffect(() => {
    if (isHeld) return;
    if (lastIndex < rowsBefore - farRows) onFarAbove(firstIndex);
    else if (firstIndex < rowsBefore) onNearStart();
    else if (lastIndex >= count - 2 * overscan) onNearEnd();
  }, [isHeld, firstIndex, lastIndex, rowsBefore, count, onNearStart, onNearEnd, onFarAbove]);

  const margin = virtualizer.options.scrollMargin;
  return (
    <div
      ref={frame}
      role="feed"
      aria-label="Testimonials"
      aria-busy={props.isBusy}
      className={classes.list}
      data-part={items.length < props.total || undefined}
      style={{
        paddingTop: first ? first.start - margin : 0,
        paddingBottom: last ? virtualizer.getTotalSize() - (last.end - margin) : 0,
      }}
    >
      {items.map(({ index, key }) => {
        const testimonial = testimonials[index - rowsBefore];
        if (!testimonial) return <div key={key} className={classes.gone} />;
        const { id } = testimonial;
        return (
          <InboxRow
            key={key}
            testimonial={testimonial}
            status={props.statusOf(testimonial)}
            showsStatus={props.showsStatus}
            isCurrent={props.current === id}
            isSelected={props.selected.has(id)}
            index={index}
            total={props.total}
            measure={virtualizer.measureElement}
            onDecide={props.onDecide}
            onSelect={props.onSelect}
            onOpen={props.onOpen}
            onCurrent={props.onCurrent}
          />
        );
      })}
    </div>
  );
}

const medium = '(max-width: 79em)';
const narrow = '(max-width: 60em)';

function useRowHeight(): number {
  return useSyncExternalStore(
    (listener) => {
      const queries = [medium, narrow].map((query) => window.matchMedia(query));
      for (const query of queries) query.addEventListener('change', listener);
      return () => {
        for (const query of queries) query.removeEventListener('change', listener);
      };
    },
    () => {
      const remPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      if (window.matchMedia(narrow).matches) return rowHeight.narrow * remPx;
      return remPx * (window.matchMedia(medium).matches ? rowHeight.medium : rowHeight.wide);
    },
    () => rowHeight.wide * usualRemPx,
  );
}
