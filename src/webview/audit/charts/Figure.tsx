import type { ComponentChildren } from 'preact';
import { useAudit } from '../state.ts';
import { type Column, Table } from '../Table.tsx';

interface FigureProps {
  readonly title: string;
  readonly columns: readonly Column[];
  /** One line each: its name, and as many values as there are columns after the first. */
  readonly lines: readonly (readonly [name: string, ...values: string[]])[];
  readonly children: ComponentChildren;
}

/** A chart for the eye, and what it shows as a table for everybody. */
export function Figure({ title, columns, lines, children }: FigureProps) {
  const { strings } = useAudit();
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
              <th scope="row">{name}</th>
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
