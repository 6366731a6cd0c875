import { useMemo } from 'preact/hooks';
import { fill } from '../text.ts';
import { RequestRow } from './RequestRow.tsx';
import { useAudit } from './state.ts';
import { type Column, Table } from './Table.tsx';

/** The table of the requests, newest first. */
export function Requests() {
  const { state, strings, formats } = useAudit();
  const rows = state.rows.value;
  const limit = state.limit.value;
  const postures = state.data.value?.postures ?? [];
  const headers = useMemo(() => new Map(postures.map((posture) => [posture.label, posture.headers])), [postures]);
  const shown = rows.slice(-limit).reverse();
  const remaining = rows.length - shown.length;
  const columns: readonly Column[] = [
    { label: strings.time },
    { label: strings.action },
    { label: strings.model },
    { label: strings.outcome },
    { label: strings.duration, isNumber: true },
    { label: strings.tokens, isNumber: true },
    { label: strings.posture },
  ];
  return (
    <section class="part">
      <h2>{strings.requests}</h2>
      <Table name={strings.requests} columns={columns} testId="requests">
        {shown.map((row) => (
          <RequestRow key={row.request} row={row} headers={headers.get(row.posture) ?? []} columns={columns.length} />
        ))}
      </Table>
      {remaining > 0 && (
        <button type="button" class="button secondary" data-testid="more" onClick={() => state.showMore()}>
          {fill(strings.more, formats.number(remaining))}
        </button>
      )}
    </section>
  );
}
