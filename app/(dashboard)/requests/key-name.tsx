type Key = { key_id: string | null; key_name: string | null; key_hint: string | null };

/** The name of a request's key, which may be in any script and direction. */
export function KeyName({ of }: { of: Key }) {
  if (of.key_id === null) return null;
  if (of.key_name === null) return <>Deleted key</>;
  return <bdi title={of.key_hint ?? undefined}>{of.key_name}</bdi>;
}
