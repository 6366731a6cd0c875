import type { ComponentChildren } from 'preact';
import { useAudit } from '../state.ts';
import { type Column, Table } from '../Table.tsx';

interface FigureProps {
  readonly title: string;
  readonly columns: readonly Column[];
  /** The lines of the table: each has a name, and a value for each column after the first. */
  readonly lines: readonly (readonly [name: string, ...values: string[]])[];
  /** The reason why there is no data; it is shown instead of the chart. */
  readonly empty?: string | undefined;
  readonly children: ComponentChildren;
}

/** A chart, and its data as a table for accessibility. */
export function Figure({ title, columns, lines, empty, children }: FigureProps) {
  const { strings } = useAudit();
  if (empty !== undefined) {
    return (
      <figure data-testid="chart">
        <figcaption>{title}</figcaption>
        <p class="quiet">{empty}</p>
      </figure>
    );
  }
  return (
    <figure data-testid="chart">
      <figcaption>{title}</figcaption>
      {children}
      <details>
        <summary>
          {strings.asTable}
          <span class="visually-hidden">: {title}</span>
        </summary>
        <Table name={title} columns={columns}>
          {lines.map(([name, ...values]) => (
            <tr key={name}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              {values.map((value, index) => (
                <td key={index} class="number">
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      </details>
    </figure>
  );
}
