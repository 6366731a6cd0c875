import { auditOutcomes } from '../../../protocol/audit/auditValues.ts';
import { fill } from '../../text.ts';
import { useAudit } from '../state.ts';
import { Columns } from './Columns.tsx';
import { Figure } from './Figure.tsx';
import { textureId } from './Textures.tsx';

/** Requests over time, by outcome. */
export function RequestsChart() {
  const { state, strings, formats } = useAudit();
  const { spans, requestsBySpan, byOutcome } = state.summary.value;
  const title = strings.byTime[spans.unit];
  const present = auditOutcomes.filter((_, index) => (byOutcome[index] ?? 0) > 0);
  const sums = requestsBySpan.map((counts) => counts.reduce((sum, count) => sum + count, 0));
  const spanOf = (index: number): string => formats.span(spans.starts[index] ?? 0, spans.unit);
  return (
    <Figure
      title={title}
      columns={[
        { label: strings.time },
        { label: strings.requests, isNumber: true },
        ...present.map((name) => ({ label: strings.outcomes[name], isNumber: true })),
      ]}
      lines={requestsBySpan.flatMap((counts, index) => {
        const sum = sums[index] ?? 0;
        const words = present.map((name) => formats.number(counts[auditOutcomes.indexOf(name)] ?? 0));
        return sum === 0 ? [] : [[spanOf(index), formats.number(sum), ...words] as const];
      })}
    >
      <Columns
        title={title}
        bars={requestsBySpan.map((values, index) => ({
          key: String(spans.starts[index]),
          tick: formats.tick(spans.starts[index] ?? 0, spans.unit),
          title: `${spanOf(index)}: ${formats.number(sums[index] ?? 0)}`,
          values,
        }))}
      />
      <ul class="legend" aria-hidden="true">
        {present.map((name) => (
          <li key={name}>
            <svg width="12" height="12" aria-hidden="true">
              <rect class={`bar ${name}`} width="12" height="12" />
              <rect class="texture" fill={`url(#${textureId(name)})`} width="12" height="12" />
            </svg>
            {strings.outcomes[name]}
          </li>
        ))}
      </ul>
    </Figure>
  );
}

export function TokensChart() {
  const { state, strings, formats } = useAudit();
  const { spans, tokensBySpan, tokens, unreported } = state.summary.value;
  const title = strings.byTokens[spans.unit];
  const lines = tokensBySpan.map(
    (count, index): Line => [formats.span(spans.starts[index] ?? 0, spans.unit), formats.number(count)],
  );
  return (
    <Figure
      title={title}
      columns={[{ label: strings.time }, { label: strings.tokens, isNumber: true }]}
      lines={nonZero(lines, tokensBySpan)}
      empty={tokens === 0 ? strings.noTokens : undefined}
    >
      <Columns
        title={title}
        bars={tokensBySpan.map((count, index) => ({
          key: String(spans.starts[index]),
          tick: formats.tick(spans.starts[index] ?? 0, spans.unit),
          title: (lines[index] ?? []).join(': '),
          values: [count],
        }))}
      />
      <Note text={strings.unreported} count={unreported} />
    </Figure>
  );
}

/** A note about the requests that a chart could not show, so that its sum is not mistaken for all requests. */
function Note({ text, count }: { readonly text: string; readonly count: number }) {
  const { formats } = useAudit();
  return count === 0 ? null : <p class="note">{fill(text, formats.number(count))}</p>;
}

type Line = readonly [name: string, value: string];

/** The lines of a table whose count is not zero. */
function nonZero(lines: readonly Line[], counts: readonly number[]): readonly Line[] {
  return lines.filter((_, index) => (counts[index] ?? 0) > 0);
}
