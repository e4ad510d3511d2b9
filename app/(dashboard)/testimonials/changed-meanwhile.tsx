import { Folded } from '@/src/ui/folded';
import { Note } from '@/src/ui/note';
import type { Testimonial } from './decisions';

/** What a person may correct, and what the form calls it. */
const fields = [
  { name: 'text_content', label: 'Text' },
  { name: 'submitter_role', label: 'Role' },
  { name: 'submitter_company', label: 'Company' },
  { name: 'rating', label: 'Rating' },
] as const;

export type Changes = {
  text_content?: string;
  rating?: number;
  submitter_role?: string;
  submitter_company?: string;
};

export type Shown = Pick<Testimonial, keyof Changes>;

/** The fields that a correction would set, and that are neither as they were shown nor as it makes them. */
export function changedMeanwhile(made: Changes, shown: Shown, now: Shown) {
  return fields
    .filter(({ name }) => made[name] !== undefined)
    .filter(({ name }) => now[name] !== shown[name] && now[name] !== made[name])
    .map((field) => ({ ...field, value: now[field.name] }));
}

export type Others = ReturnType<typeof changedMeanwhile>;

/** Told before a correction replaces what was saved since its dialog was opened. */
export function ChangedMeanwhile({ others }: { others: Others | undefined }) {
  if (!others) return null;
  return (
    <Note tone="warning" role="alert">
      Not saved, because this was changed meanwhile. Save again to replace it.
      {others.map(({ label, value }) => (
        <Folded key={label} content={String(value)}>
          {label}: {value ? <bdi>{value}</bdi> : 'nothing'}
        </Folded>
      ))}
    </Note>
  );
}
