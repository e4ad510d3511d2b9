/**
 * What the form has otherwise than the thing had when the form was opened: to send the rest as well
 * would take back what was changed meanwhile in another tab. Undefined where that is nothing; a
 * field that is undefined is left as it is.
 */
export function changedFields<Fields extends object>(
  before: { [Name in keyof Fields]-?: unknown },
  now: Fields,
): Partial<Fields> | undefined {
  const changed: Partial<Fields> = { ...now };
  for (const name in changed) {
    const isSame = JSON.stringify(now[name]) === JSON.stringify(before[name]);
    if (isSame || now[name] === undefined) delete changed[name];
  }
  return Object.keys(changed).length > 0 ? changed : undefined;
}
