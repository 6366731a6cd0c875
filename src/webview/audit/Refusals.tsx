import { useState } from 'preact/hooks';
import { fill } from '../text.ts';
import { ClearFilters, EmptyPart } from './EmptyPart.tsx';
import { useAudit } from './state.ts';
import { Table } from './Table.tsx';

const shownAtOnce = 50;

/** The requests that were refused at the gate, newest first. */
export function Refusals() {
  const { state, strings, formats } = useAudit();
  const [limit, setLimit] = useState(shownAtOnce);
  const refusals = state.refusals.value;
  const remaining = refusals.length - limit;
  const columns = [
    { label: strings.time },
    { label: strings.action },
    { label: strings.reason },
    { label: strings.count, isNumber: true },
  ];
  return (
    <section class="part">
      <h2>{strings.refusals}</h2>
      {refusals.length === 0 ? (
        <EmptyPart icon="shield" words={strings.noRefusals} testId="no-refusals">
          {(state.data.value?.refusals.length ?? 0) > 0 && <ClearFilters />}
        </EmptyPart>
      ) : (
        <>
          <p class="quiet">{strings.refusalsHint}</p>
          <Table name={strings.refusals} columns={columns} testId="refusals">
            {refusals
              .slice(-limit)
              .reverse()
              .map(({ at, action, reason, count }, index) => (
                <tr key={`${at} ${refusals.length - index}`}>
                  <td>{formats.moment(at)}</td>
                  <td>{strings.actions[action]}</td>
                  <td class="reason">{reason}</td>
                  <td class="number">{formats.number(count)}</td>
                </tr>
              ))}
          </Table>
        </>
      )}
      {remaining > 0 && (
        <button type="button" class="button secondary" onClick={() => setLimit(limit + shownAtOnce)}>
          {fill(strings.more, formats.number(remaining))}
        </button>
      )}
    </section>
  );
}
