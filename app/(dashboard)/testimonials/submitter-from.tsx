type Submitter = { submitter_role: string | null; submitter_company: string | null };

export const saysFrom = (of: Submitter) => Boolean(of.submitter_role || of.submitter_company);

/**
 * What a submitter does, and where: in the direction of the first, and the second in its own. Of ACME Inc.
 * behind a role in Hebrew, the dot would stand before it.
 */
export function SubmitterFrom({ of, className }: { of: Submitter; className?: string }) {
  const { submitter_role: role, submitter_company: company } = of;
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
