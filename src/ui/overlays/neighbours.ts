/** The rows before and after, in the log that a sheet stands beside. */
export type Neighbours = {
  newer: string | undefined;
  older: string | undefined;
  /** To be taken from the row that is open by then: the sheet may not show the last step yet. */
  onStep: (to: Direction) => void;
};

/** Which way a step goes. */
export type Direction = 'newer' | 'older';

/** The rows beside the one with the id; none where it is not shown any more. */
export function neighboursIn(ids: string[], id: string): Pick<Neighbours, Direction> {
  const place = ids.indexOf(id);
  return {
    newer: place > 0 ? ids[place - 1] : undefined,
    older: place === -1 ? undefined : ids[place + 1],
  };
}

/** The row to show after a step: the same one at the end of the log, none where none is open. */
export function stepFrom(ids: string[], id: string | undefined, to: Direction): string | undefined {
  return id && (neighboursIn(ids, id)[to] ?? id);
}
