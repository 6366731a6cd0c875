import { useMemo, useState } from 'preact/hooks';
import type { AuditCall, AuditData, AuditRow, AuditStrings } from '../../protocol/auditMessages.ts';
import { fill } from '../text.ts';
import { Chart } from './Chart.tsx';
import { type Filter, filtered, type Period, summaryOf } from './summary.ts';

interface PageProps {
  readonly data: AuditData;
  readonly strings: AuditStrings;
  readonly call: (call: AuditCall) => void;
}

const shownAtOnce = 100;

/** The audit log of a period: what was asked of whom, with what outcome, and whether the log is whole. */
export function Page({ data, strings, call }: PageProps) {
  const [filter, setFilter] = useState<Filter>({
    period: 'month',
    from: '',
    to: '',
    model: '',
    posture: '',
    outcome: '',
  });
  const [shown, setShown] = useState(shownAtOnce);
  const rows = useMemo(() => filtered(data.rows, filter, Date.now()), [data, filter]);
  const summary = useMemo(() => summaryOf(rows), [rows]);
  const { verdict, badLines, events } = data;
  const seconds = (ms: number | null): string => (ms === null ? '–' : `${(ms / 1000).toFixed(1)} s`);
  return (
    <main class="audit">
      <header>
        <h1>{strings.title}</h1>
        <div class="tools">
          <button type="button" class="button" data-testid="verify" onClick={() => call({ type: 'verify' })}>
            {strings.verify}
          </button>
          <button type="button" class="button secondary" data-testid="export" onClick={() => call({ type: 'export' })}>
            {strings.export}
          </button>
        </div>
      </header>
      <div role="status">
        {verdict !== undefined && (
          <p class={verdict.isIntact ? 'verdict intact' : 'verdict broken'} data-testid="verdict">
            <span class={`codicon codicon-${verdict.isIntact ? 'pass' : 'error'}`} aria-hidden="true" /> {verdict.text}
          </p>
        )}
        {badLines > 0 && <p class="verdict broken">{fill(strings.badLines, badLines)}</p>}
      </div>
      <Filters rows={data.rows} filter={filter} strings={strings} onChange={setFilter} />
      <dl class="totals" data-testid="totals">
        {(
          [
            [strings.requests, summary.requests.toLocaleString()],
            [strings.failed, summary.failed.toLocaleString()],
            [strings.contradicted, summary.contradicted.toLocaleString()],
            [strings.masked, summary.masked.toLocaleString()],
            [strings.medianLatency, seconds(summary.medianMs)],
            [strings.tokens, summary.tokens.toLocaleString()],
          ] as const
        ).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div class="charts">
        <Chart title={strings.byDay} buckets={summary.byDay} kind="days" strings={strings} />
        <Chart title={strings.byTokens} buckets={summary.byTokens} kind="days" strings={strings} />
        <Chart title={strings.byModel} buckets={summary.byModel} kind="words" strings={strings} />
        <Chart
          title={strings.byPosture}
          buckets={summary.byPosture.map(({ label, value }) => ({ label: label || strings.noPosture, value }))}
          kind="words"
          strings={strings}
        />
        <Chart title={strings.byOutcome} buckets={summary.byOutcome} kind="words" strings={strings} />
        <Chart title={strings.byLatency} buckets={summary.byLatency} kind="words" strings={strings} />
      </div>
      <section>
        <h2>{strings.requests}</h2>
        {rows.length === 0 ? (
          <p class="empty">{strings.none}</p>
        ) : (
          <Requests rows={rows.slice(-shown)} strings={strings} />
        )}
        {rows.length > shown && (
          <button type="button" class="button secondary" onClick={() => setShown(shown + shownAtOnce)}>
            {fill(strings.more, rows.length - shown)}
          </button>
        )}
      </section>
      <section>
        <h2>{strings.events}</h2>
        {events.length === 0 ? (
          <p class="empty">{strings.none}</p>
        ) : (
          <div class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">{strings.time}</th>
                  <th scope="col">{strings.event}</th>
                </tr>
              </thead>
              <tbody>
                {events
                  .slice(-shownAtOnce)
                  .reverse()
                  .map(({ at, text }, index) => (
                    <tr key={`${at} ${index}`}>
                      <td>{new Date(at).toLocaleString()}</td>
                      <td>{text}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
          </div>
        )}
      </section>
    </main>
  );
}

interface FiltersProps {
  readonly rows: readonly AuditRow[];
  readonly filter: Filter;
  readonly strings: AuditStrings;
  readonly onChange: (filter: Filter) => void;
}

function Filters({ rows, filter, strings, onChange }: FiltersProps) {
  const words = (of: (row: AuditRow) => string): readonly string[] => [...new Set(rows.map(of))].sort();
  const choices = [
    ['model', strings.model, words(({ model }) => model)],
    ['posture', strings.posture, words(({ posture }) => posture).filter((posture) => posture !== '')],
    ['outcome', strings.outcome, words(({ outcome }) => outcome)],
  ] as const;
  const periods: readonly (readonly [Period, string])[] = [
    ['today', strings.today],
    ['week', strings.week],
    ['month', strings.month],
    ['all', strings.all],
    ['days', strings.days],
  ];
  return (
    <div class="filters">
      <label>
        {strings.period}
        <select
          data-testid="period"
          value={filter.period}
          onChange={({ currentTarget }) => onChange({ ...filter, period: currentTarget.value as Period })}
        >
          {periods.map(([period, label]) => (
            <option key={period} value={period}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {filter.period === 'days' &&
        (['from', 'to'] as const).map((end) => (
          <label key={end}>
            {strings[end]}
            <input
              type="date"
              data-testid={end}
              value={filter[end]}
              onChange={({ currentTarget }) => onChange({ ...filter, [end]: currentTarget.value })}
            />
          </label>
        ))}
      {choices.map(([name, label, values]) => (
        <label key={name}>
          {label}
          <select
            data-testid={name}
            value={filter[name]}
            onChange={({ currentTarget }) => onChange({ ...filter, [name]: currentTarget.value })}
          >
            <option value="">{strings.any}</option>
            {values.map((value) => (
              <option key={value} value={value}>
                {value}
              </option>
            ))}
          </select>
        </label>
      ))}
    </div>
  );
}

/** The last ones first. */
function Requests({ rows, strings }: { readonly rows: readonly AuditRow[]; readonly strings: AuditStrings }) {
  const heads = [
    strings.time,
    strings.action,
    strings.model,
    strings.posture,
    strings.outcome,
    strings.confirmation,
    strings.duration,
    strings.tokens,
    strings.files,
    strings.masked,
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be in reach of the keyboard.
    <section class="scroll" tabIndex={0} aria-label={strings.requests}>
      <table data-testid="requests">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...rows].reverse().map((row) => (
            <tr key={row.request} class={row.confirmation === 'contradicted' ? 'contradicted' : row.outcome}>
              <td>{new Date(row.at).toLocaleString()}</td>
              <td>{row.action}</td>
              <td>{row.model}</td>
              <td>{row.posture || strings.noPosture}</td>
              <td>{row.error === '' ? row.outcome : `${row.outcome} (${row.error})`}</td>
              <td>{row.confirmation}</td>
              <td>{row.durationMs === null ? '–' : `${(row.durationMs / 1000).toFixed(1)} s`}</td>
              <td>{row.tokens?.toLocaleString() ?? '–'}</td>
              <td>{row.files}</td>
              <td>{row.unmasked === 0 ? row.maskings : `${row.maskings} (+${row.unmasked})`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
