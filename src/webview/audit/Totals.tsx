import { nothing } from './format.ts';
import { useAudit } from './state.ts';

/** The totals of the period: eight numbers. */
export function Totals() {
  const { state, strings, formats } = useAudit();
  const { requests, failed, contradicted, masked, medianMs, p95Ms, tokens } = state.summary.value;
  const refused = state.refusals.value.reduce((sum, { count }) => sum + count, 0);
  const duration = (ms: number | null): string => (ms === null ? nothing : formats.duration(ms));
  const totals: readonly (readonly [label: string, value: string, isBad?: boolean])[] = [
    [strings.requests, formats.number(requests)],
    [strings.failed, formats.number(failed)],
    [strings.refused, formats.number(refused)],
    [strings.contradicted, formats.number(contradicted), contradicted > 0],
    [strings.masked, formats.number(masked)],
    [strings.medianLatency, duration(medianMs)],
    [strings.p95Latency, duration(p95Ms)],
    [strings.tokens, formats.number(tokens)],
  ];
  return (
    <dl class="totals" aria-label={strings.totals} data-testid="totals">
      {totals.map(([label, value, isBad = false]) => (
        <div key={label} class={isBad ? 'bad' : undefined}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
