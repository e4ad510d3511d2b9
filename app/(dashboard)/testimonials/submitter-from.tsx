import { fromFirstSeen } from '@/src/ui/components/shown-name';

type Submitter = { submitter_role: string | null; submitter_company: string | null };

/** Of a text of which nobody sees anything: undefined. */
const seen = (text: string | null) => (text && fromFirstSeen(text) ? text : undefined);

export const saysFrom = (of: Submitter) =>
  Boolean(seen(of.submitter_role) || seen(of.submitter_company));

/**
 * What a submitter does, and where: in the direction of the first, and the second in its own. Of ACME Inc.
 * behind a role in Hebrew, the dot would stand before it.
 */
export function SubmitterFrom({ of, className }: { of: Submitter; className?: string }) {
  const role = seen(of.submitter_role);
  const company = seen(of.submitter_company);
  const isBoth = role && company;
  return (
    <bdi className={className}>
      {role || company}
      {isBoth && (
        <>
          , <bdi>{company}</bdi>
        </>
      )}
    </bdi>
  );
}
