import { useMemo } from 'preact/hooks';
import type { AuditPosture, AuditRow } from '../../protocol/auditMessages.ts';
import { fill } from '../text.ts';
import { Icon } from '../view/Icon.tsx';
import { nothing } from './format.ts';
import { useAudit } from './state.ts';
import { type Column, Table } from './Table.tsx';

/** The single requests, newest first. */
export function Requests() {
  const { state, strings, formats } = useAudit();
  const rows = state.rows.value;
  const limit = state.limit.value;
  const postures = state.data.value?.postures ?? [];
  const headers = useMemo(() => new Map(postures.map((posture) => [posture.label, headersOf(posture)])), [postures]);
  const shown = rows.slice(-limit).reverse();
  const left = rows.length - shown.length;
  const columns: readonly Column[] = [
    { label: strings.time },
    { label: strings.action },
    { label: strings.model },
    { label: strings.posture },
    { label: strings.outcome },
    { label: strings.confirmation },
    { label: strings.duration, isNumber: true },
    { label: strings.tokens, isNumber: true },
    { label: strings.files, isNumber: true },
    { label: strings.size, isNumber: true },
    { label: strings.masked, isNumber: true },
    { label: strings.unmasked, isNumber: true },
    { label: strings.exclusions, isNumber: true },
    { label: strings.previewed },
    { label: strings.retries, isNumber: true },
    { label: strings.origin },
  ];
  return (
    <section class="part">
      <h2>{strings.requests}</h2>
      <Table name={strings.requests} columns={columns} testId="requests">
        {shown.map((row) => (
          <Request key={row.request} row={row} headers={headers.get(row.posture)} />
        ))}
      </Table>
      {left > 0 && (
        <button type="button" class="button secondary" data-testid="more" onClick={() => state.showMore()}>
          {fill(strings.more, formats.number(left))}
        </button>
      )}
    </section>
  );
}

function headersOf({ headers }: AuditPosture): string {
  return headers.map(({ name, value }) => `${name}: ${value}`).join('\n');
}

function Request({ row, headers }: { readonly row: AuditRow; readonly headers: string | undefined }) {
  const { strings, formats } = useAudit();
  const outcome = strings.outcomes[row.outcome];
  const isContradicted = row.confirmation === 'contradicted';
  return (
    <tr>
      <td>{formats.moment(row.at)}</td>
      <td>{strings.actions[row.action] ?? row.action}</td>
      <td>{row.model}</td>
      <td class="posture" title={headers}>
        {row.posture === '' ? strings.noPosture : row.posture}
      </td>
      <td class={row.outcome === 'failed' ? 'bad' : undefined}>
        {row.error === '' ? outcome : `${outcome} (${row.error})`}
      </td>
      <td class={isContradicted ? 'bad' : undefined}>
        {isContradicted && <Icon name="error" />}
        {strings.confirmations[row.confirmation]}
      </td>
      <td class="number">{row.durationMs === null ? nothing : formats.duration(row.durationMs)}</td>
      <td class="number">{row.tokens === null ? nothing : formats.number(row.tokens)}</td>
      <td class="number">{formats.number(row.files)}</td>
      <td class="number">{formats.bytes(row.bytes)}</td>
      <td class="number">{formats.number(row.maskings)}</td>
      <td class="number">{formats.number(row.unmasked)}</td>
      <td class="number">{formats.number(row.exclusions)}</td>
      <td>{row.previewed ? strings.yes : strings.no}</td>
      <td class="number">{formats.number(row.retries)}</td>
      <td>{row.origin}</td>
    </tr>
  );
}
