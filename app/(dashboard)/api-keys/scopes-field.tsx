import { Checkbox, Input, SegmentedControl, Stack } from '@mantine/core';
import type { Scope } from '@/src/api/scopes';
import { allScopes } from './scope-words';

const descriptions: Record<Scope, string> = {
  read: 'List and get testimonials and spaces',
  write: 'Create and update them, moderate in bulk',
  delete: 'Delete them, for good',
};

const presets = [
  { label: 'Read only', scopes: ['read'] },
  { label: 'Read and write', scopes: ['read', 'write'] },
  { label: 'Full', scopes: allScopes },
] satisfies { label: string; scopes: Scope[] }[];

/** What the key may do: one of the usual choices, or scope by scope. */
export function ScopesField(props: { scopes: Scope[]; onChange: (scopes: Scope[]) => void }) {
  const isChosen = (scope: Scope) => props.scopes.includes(scope);
  const preset = presets.find(
    ({ scopes }) => scopes.length === props.scopes.length && scopes.every(isChosen),
  );
  return (
    <Input.Wrapper
      label="Access"
      component="fieldset"
      style={{ minWidth: 0, border: 0, padding: 0, margin: 0 }}
    >
      <SegmentedControl
        name="access"
        aria-label="Access"
        fullWidth
        mt={6}
        mb="sm"
        value={preset?.label ?? ''}
        data={presets.map(({ label }) => label)}
        // As wide as its words, and two lines where there is too little room for them.
        styles={{ control: { flex: '1 1 auto' }, label: { whiteSpace: 'normal' } }}
        onChange={(label) => {
          const chosen = presets.find((candidate) => candidate.label === label);
          if (chosen) props.onChange(chosen.scopes);
        }}
      />
      <Stack gap="xs">
        {allScopes.map((scope) => (
          <Checkbox
            key={scope}
            label={scope}
            description={descriptions[scope]}
            checked={isChosen(scope)}
            onChange={(event) => {
              const isOn = event.currentTarget.checked;
              props.onChange(
                allScopes.filter((other) => (other === scope ? isOn : isChosen(other))),
              );
            }}
          />
        ))}
      </Stack>
    </Input.Wrapper>
  );
}
