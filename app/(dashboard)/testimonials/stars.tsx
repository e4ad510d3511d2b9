import classes from './inbox-row.module.css';

/** A rating as stars, read out as a number; nothing where there is none. */
export function Stars({ id, rating }: { id: string; rating: number | null }) {
  if (rating === null) return null;
  return (
    <span id={id} className={classes.stars} role="img" aria-label={`${rating} of 5 stars`}>
      {'★'.repeat(rating)}
      {'☆'.repeat(5 - rating)}
    </span>
  );
}
