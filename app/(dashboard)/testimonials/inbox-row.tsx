'use client';
import { memo, type Ref } from 'react';
import { usePicture } from '@/src/ui/browser/media';
import { ShowMore, useFolding } from '@/src/ui/components/folded';
import { Check, Ellipsis, Play, X } from '@/src/ui/components/icons';
import { shownName } from '@/src/ui/components/shown-name';
import { ToneBadge } from '@/src/ui/components/tone-badge';
import { Instant } from '@/src/ui/time/instant';
import { Avatar } from './avatar';
import type { Testimonial } from './decisions';
import classes from './inbox-row.module.css';
import { SpaceName } from './space-name';
import { Stars } from './stars';
import { statusNames, statusTones } from './status-words';
import { SubmitterFrom, saysFrom } from './submitter-from';
import type { Status } from './view';

export type RowActions = {
  onDecide: (testimonial: Testimonial, status: Status) => void;
  onSelect: (id: string) => void;
  onOpen: (id: string) => void;
  onCurrent: (id: string) => void;
};

export function rowId(id: string): string {
  return `testimonial-${id}`;
}

/** A testimonial as people decide on it. Its height is that of every other, unless it is unfolded. */
export const InboxRow = memo(function InboxRow(
  props: RowActions & {
    testimonial: Testimonial;
    status: Status;
    showsStatus: boolean;
    isCurrent: boolean;
    isSelected: boolean;
    index: number;
    total: number;
    measure: Ref<HTMLElement>;
  },
) {
  const { testimonial, status } = props;
  const { id } = testimonial;
  const name = shownName(testimonial.submitter_name);
  return (
    // WAI-ARIA, feed: its articles take the focus.
    <article
      id={rowId(id)}
      ref={props.measure}
      data-index={props.index}
      className={classes.row}
      data-selected={props.isSelected || undefined}
      tabIndex={props.isCurrent ? 0 : -1}
      aria-labelledby={`name-${id}`}
      // What is decided on: whoever goes from row to row by key hears no more than this.
      aria-describedby={`stars-${id} said-${id} status-${id}`}
      aria-posinset={props.index + 1}
      aria-setsize={props.total}
      onFocus={() => props.onCurrent(id)}
    >
      <input
        type="checkbox"
        // Firefox keeps ticks through a reload by their place, where another row may be by then.
        autoComplete="off"
        aria-label={`Select ${name}`}
        checked={props.isSelected}
        onChange={() => props.onSelect(id)}
      />
      <Avatar name={name} url={testimonial.submitter_avatar_url} />
      <div className={classes.main}>
        <div className={classes.head}>
          <bdi id={`name-${id}`} className={classes.name}>
            {name}
          </bdi>
          {saysFrom(testimonial) && <SubmitterFrom of={testimonial} className={classes.from} />}
          <Stars id={`stars-${id}`} rating={testimonial.rating} />
        </div>
        <Body {...props} />
      </div>
      <div className={classes.actions}>
        {(['approved', 'rejected'] as const).map((wish) => (
          <button
            key={wish}
            type="button"
            className={classes.act}
            data-wish={wish}
            disabled={status === wish}
            aria-label={`${wish === 'approved' ? 'Approve' : 'Reject'} ${name}`}
            // The second click of two meets the row that has moved up.
            onClick={({ detail }) => detail < 2 && props.onDecide(testimonial, wish)}
          >
            {wish === 'approved' ? <Check size={15} /> : <X size={15} />}
            {wish === 'approved' ? 'Approve' : 'Reject'}
          </button>
        ))}
        <button
          type="button"
          className={classes.act}
          aria-label={`Open ${name}`}
          onClick={() => props.onOpen(id)}
        >
          <Ellipsis size={16} />
        </button>
      </div>
    </article>
  );
});

function Body(props: {
  testimonial: Testimonial;
  status: Status;
  showsStatus: boolean;
  onOpen: (id: string) => void;
}) {
  const { testimonial, status } = props;
  const { id, text_content: content } = testimonial;
  const folding = useFolding<HTMLParagraphElement>(content);
  return (
    <>
      <div id={`said-${id}`} className={classes.body}>
        {testimonial.video_url && <PlayButton {...props} />}
        {content && (
          <p ref={folding.ref} dir="auto" className={`${classes.text} ${folding.className ?? ''}`}>
            {content}
          </p>
        )}
      </div>
      <div className={classes.meta}>
        <span className={classes.space}>
          <SpaceName id={testimonial.space_id} />
        </span>
        <Instant at={testimonial.created_at} />
        {props.showsStatus && (
          <ToneBadge id={`status-${id}`} tone={statusTones[status]}>
            {statusNames[status]}
          </ToneBadge>
        )}
        <ShowMore folding={folding} />
      </div>
    </>
  );
}

function PlayButton(props: { testimonial: Testimonial; onOpen: (id: string) => void }) {
  const { testimonial } = props;
  const still = usePicture(testimonial.video_thumbnail_url);
  return (
    <button
      type="button"
      className={classes.play}
      aria-label={`Video of ${shownName(testimonial.submitter_name)}`}
      onClick={() => props.onOpen(testimonial.id)}
    >
      {/* biome-ignore lint/performance/noImgElement: nothing is resized here */}
      {still && <img {...still} alt="" />}
      <span>
        <Play size={14} />
      </span>
    </button>
  );
}
