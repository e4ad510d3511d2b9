'use client';
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import classes from './folded.module.css';

type Folding<Element extends HTMLElement> = {
  /** Of what holds the text. */
  ref: RefObject<Element | null>;
  className: string | undefined;
  /** Whether there is more of it than three lines. */
  isLong: boolean;
  isUnfolded: boolean;
  toggle: () => void;
};

/** Folds what holds this text to three lines, until `ShowMore` is pressed. */
export function useFolding<Element extends HTMLElement>(content: string | null): Folding<Element> {
  const [isUnfolded, setIsUnfolded] = useState(false);
  const [isLong, setIsLong] = useState(false);
  const ref = useRef<Element>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text may be longer
  useLayoutEffect(() => {
    const { current } = ref;
    if (!current) return setIsLong(false);
    // Whole, it has nothing to be measured by.
    if (isUnfolded) return;
    const measure = () => setIsLong(current.scrollHeight > current.clientHeight + 1);
    measure();
    // A telephone is turned, a window made narrow, letters larger: less of the text is there then.
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [content, isUnfolded]);
  return {
    ref,
    className: isUnfolded ? undefined : classes.clamped,
    isLong,
    isUnfolded,
    toggle: () => setIsUnfolded(!isUnfolded),
  };
}

/** Nothing where all of the text is there. */
export function ShowMore(props: {
  folding: Pick<Folding<HTMLElement>, 'isLong' | 'isUnfolded' | 'toggle'>;
}) {
  const { isLong, isUnfolded, toggle } = props.folding;
  if (!isLong) return null;
  return (
    <button type="button" className={classes.more} aria-expanded={isUnfolded} onClick={toggle}>
      {isUnfolded ? 'Show less' : 'Show more'}
    </button>
  );
}

/** What may be any length, folded. `content` is what in it may change. */
export function Folded({ content, children }: { content: string; children: ReactNode }) {
  const folding = useFolding<HTMLDivElement>(content);
  return (
    <>
      <div ref={folding.ref} className={folding.className}>
        {children}
      </div>
      <ShowMore folding={folding} />
    </>
  );
}
