import type { AuditStrings } from '../../protocol/auditMessages.ts';
import type { Bucket } from './summary.ts';

interface ChartProps {
  readonly title: string;
  readonly buckets: readonly Bucket[];
  /** Words that the bars stand beside, or days that they stand above. */
  readonly kind: 'words' | 'days';
  readonly strings: AuditStrings;
}

/** A chart for the eye, and the same as a table for everybody else. */
export function Chart({ title, buckets, kind, strings }: ChartProps) {
  return (
    <figure data-testid="chart">
      <figcaption>{title}</figcaption>
      {buckets.every(({ value }) => value === 0) ? (
        <p class="empty">{strings.none}</p>
      ) : kind === 'words' ? (
        <WordBars buckets={buckets} />
      ) : (
        <DayBars buckets={buckets} />
      )}
      <details>
        <summary>{strings.asTable}</summary>
        <table>
          <caption class="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{strings.value}</th>
              <th scope="col">{strings.count}</th>
            </tr>
          </thead>
          <tbody>
            {buckets.map(({ label, value }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{value.toLocaleString()}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

function largest(buckets: readonly Bucket[]): number {
  return Math.max(1, ...buckets.map(({ value }) => value));
}

/** Bars from left to right, each with its word before and its number behind. */
function WordBars({ buckets }: { readonly buckets: readonly Bucket[] }) {
  const most = largest(buckets);
  return (
    <div class="bars" aria-hidden="true">
      {buckets.map(({ label, value }) => (
        <div class="bar-row" key={label}>
          <span class="bar-label" title={label}>
            {label}
          </span>
          <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
            <rect width={(100 * value) / most} height="10" />
          </svg>
          <span class="bar-value">{value.toLocaleString()}</span>
        </div>
      ))}
    </div>
  );
}

/** Columns, a day each, with the largest value and the first and last day written out. */
function DayBars({ buckets }: { readonly buckets: readonly Bucket[] }) {
  const most = largest(buckets);
  const width = 100 / Math.max(buckets.length, 7);
  return (
    <div class="days" aria-hidden="true">
      <span class="axis">{most.toLocaleString()}</span>
      <svg class="columns" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        {buckets.map(({ label, value }, index) => (
          <rect
            key={label}
            x={index * width + width * 0.15}
            y={100 - (100 * value) / most}
            width={width * 0.7}
            height={(100 * value) / most}
          >
            <title>{`${label}: ${value.toLocaleString()}`}</title>
          </rect>
        ))}
      </svg>
      <div class="ends">
        <span>{buckets[0]?.label}</span>
        {buckets.length > 1 && <span>{buckets.at(-1)?.label}</span>}
      </div>
    </div>
  );
}
