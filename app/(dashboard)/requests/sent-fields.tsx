import { Text } from '@mantine/core';
import { requestLogLimits } from '@/src/requests/limits';
import type { Outputs } from '@/src/ui/calls/trpc';
import classes from './requests.module.css';

type Field = Outputs['requests']['get']['query'][number];

/** What was sent, field by field: values that may be somebody's are told by their length alone. */
export function SentFields({ fields }: { fields: Field[] }) {
  if (fields.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Empty.
      </Text>
    );
  }
  return (
    <>
      <table className={classes.fields}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a name may stand there twice, and nothing moves
            <tr key={index}>
              <td className={classes.mono}>
                {field.name ?? 'a name that is not shown'}
                {!field.is_known && (
                  <Text size="xs" c="dimmed" ff="text">
                    unknown, ignored
                  </Text>
                )}
              </td>
              <td>
                {field.value === null ? (
                  <Text fz={13} c="dimmed" component="span">
                    {field.type}
                  </Text>
                ) : (
                  <span className={classes.mono}>{field.value}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {fields.length >= requestLogLimits.fields && (
        <Text size="xs" c="dimmed">
          No more than {requestLogLimits.fields} are kept.
        </Text>
      )}
    </>
  );
}
