import classes from './skip-link.module.css';

/** The first thing that the keyboard reaches, and not seen before: leads past what all pages begin with. */
export function SkipLink() {
  return (
    <a href="#content" className={classes.root}>
      Skip to the content
    </a>
  );
}
