import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './table.module.css';

/** A table that becomes a list of cards on narrow screens. */
export function Table(props: { columns: string[]; hasActions?: boolean; children: ReactNode }) {
  return (
    <div className={classes.frame}>
      <table className={classes.table}>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            {props.hasActions && (
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </div>
  );
}

/** `label` repeats the column's name where the table is a list of cards. */
export function Cell({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <td className={classes.cell} data-label={label}>
      {children}
    </td>
  );
}

/** As high as a table with rows, while these are on their way. */
export function TableSkeleton({ columns }: { columns: string[] }) {
  return (
    <div role="status" aria-label="Loading">
      {/* Or the names of the columns are read, each time that one is shown. */}
      <div aria-hidden>
        <Table columns={columns}>
          {[0, 1, 2].map((row) => (
            <tr key={row} className={classes.row}>
              {columns.map((column, index) => (
                <Cell key={column}>
                  <Skeleton height={12} width={index === 0 ? 120 : 64} />
                </Cell>
              ))}
            </tr>
          ))}
        </Table>
      </div>
    </div>
  );
}
