import { useState } from 'preact/hooks';
import { fill } from '../text.ts';
import { ClearFilters, EmptyPart } from './EmptyPart.tsx';
import { rangeOf } from './filter.ts';
import { useAudit } from './state.ts';
import { Table } from './Table.tsx';

const shownAtOnce = 50;

/** The records of the period that are not requests, newest first: they have no model or outcome. */
export function Events() {
  const { state, strings, formats } = useAudit();
  const [limit, setLimit] = useState(shownAtOnce);
  const { since, until } = rangeOf(state.filter.value, Date.now());
  const all = state.data.value?.events ?? [];
  const events = all.filter(({ at }) => at >= since && at < until);
  const remaining = events.length - limit;
  return (
    <section class="part">
      <h2>{strings.events}</h2>
      {events.length === 0 ? (
        <EmptyPart icon="history" words={strings.noEvents} testId="no-events">
          {all.length > 0 && <ClearFilters />}
        </EmptyPart>
      ) : (
        <Table name={strings.events} columns={[{ label: strings.time }, { label: strings.event }]} testId="events">
          {events
            .slice(-limit)
            .reverse()
            .map(({ at, text }, index) => (
              <tr key={`${at} ${events.length - index}`}>
                <td>{formats.moment(at)}</td>
                <td class="event">{text}</td>
              </tr>
            ))}
        </Table>
      )}
      {remaining > 0 && (
        <button type="button" class="button secondary" onClick={() => setLimit(limit + shownAtOnce)}>
          {fill(strings.more, formats.number(remaining))}
        </button>
      )}
    </section>
  );
}
