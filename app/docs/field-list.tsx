'use client';
import classes from './docs.module.css';
import type { Field } from './fields';
import { Inline } from './prose';

/**
 * Fields or parameters with their types and limits, and what they hold, folded. Made in the browser
 * too: as fields they are sent in a third of the bytes that their elements take.
 */
export function FieldList({ fields }: { fields: Field[] }) {
  return (
    <ul className={classes.fields}>
      {fields.map((field) => (
        <li key={field.name}>
          <div className={classes.fieldHead}>
            <code className={classes.fieldName}>{field.name}</code>
            <span className={classes.fieldType}>{field.type}</span>
            {field.isRequired && <span className={classes.required}>required</span>}
          </div>
          <FieldNotes field={field} />
          {field.fields.length > 0 && (
            <details className={classes.inner}>
              <summary>
                Fields of <code>{field.name}</code>
              </summary>
              <FieldList fields={field.fields} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

function FieldNotes({ field: { description, limits } }: { field: Field }) {
  if (!description && limits.length === 0) return null;
  const rule = limits.join(', ');
  return (
    <p className={classes.fieldNotes}>
      <Inline text={description} />
      {description && rule && ' '}
      {rule && `${rule.charAt(0).toUpperCase()}${rule.slice(1)}.`}
    </p>
  );
}
