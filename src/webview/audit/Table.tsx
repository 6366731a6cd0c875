import type { ComponentChildren } from 'preact';

export interface Column {
  readonly label: string;
  /** Whether the column contains numbers, which are right-aligned so that they can be compared. */
  readonly isNumber?: boolean;
}

interface TableProps {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly testId?: string;
  readonly children: ComponentChildren;
}

/** A table that scrolls if it is wider or higher than its container. */
export function Table({ name, columns, testId, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard.
    <section class="scroll" tabIndex={0} aria-label={name}>
      <table data-testid={testId}>
        <thead>
          <tr>
            {columns.map(({ label, isNumber = false }) => (
              <th key={label} scope="col" class={isNumber ? 'number' : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
