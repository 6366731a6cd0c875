import { fill } from '../text.ts';
import { Icon } from '../view/Icon.tsx';
import { Banner } from './Banner.tsx';
import { Charts } from './charts/Charts.tsx';
import { Textures } from './charts/Textures.tsx';
import { ClearFilters, EmptyPart } from './EmptyPart.tsx';
import { Events } from './Events.tsx';
import { Filters } from './Filters.tsx';
import { onlyRefused } from './filter.ts';
import { Refusals } from './Refusals.tsx';
import { Requests } from './Requests.tsx';
import { useAudit } from './state.ts';
import { Totals } from './Totals.tsx';

/** The audit log of a period: requests with their outcomes, and whether the log is intact. */
export function Page() {
  const { state, strings, formats } = useAudit();
  const data = state.data.value;
  return (
    <main class="audit" aria-busy={state.isLoading.value}>
      <Textures />
      <header>
        <h1>{strings.title}</h1>
        <Tools />
      </header>
      <Banner />
      {data === undefined || (data.rows.length === 0 && !data.isWhole) ? null : data.rows.length === 0 ? (
        <EmptyPart icon="shield" words={strings.emptyTitle} testId="empty">
          <p class="quiet">{strings.emptyHint}</p>
          <button type="button" class="button" data-testid="open-chat" onClick={() => state.call('openChat')}>
            {strings.openChat}
          </button>
        </EmptyPart>
      ) : (
        <>
          <Filters />
          <p class="visually-hidden" role="status">
            {fill(strings.shown, formats.number(state.rows.value.length))}
          </p>
          <Totals />
          {state.rows.value.length > 0 ? (
            <Charts />
          ) : (
            state.filter.value.outcome !== onlyRefused && (
              <EmptyPart icon="search" words={strings.noMatch} testId="no-match">
                <ClearFilters />
              </EmptyPart>
            )
          )}
          {state.rows.value.length > 0 && <Requests />}
        </>
      )}
      {data !== undefined && <Refusals />}
      {data !== undefined && <Events />}
    </main>
  );
}

function Tools() {
  const { state, strings } = useAudit();
  return (
    <div class="tools">
      <button
        type="button"
        class="button"
        data-testid="verify"
        aria-disabled={state.isVerifying.value}
        onClick={() => state.isVerifying.value || state.call('verify')}
      >
        {strings.verify}
      </button>
      <button
        type="button"
        class="button secondary"
        data-testid="export-evidence"
        onClick={() => state.call('export', { format: 'evidence' })}
      >
        {strings.exportEvidence}
      </button>
      <button
        type="button"
        class="button secondary"
        data-testid="export-csv"
        onClick={() => state.call('export', { format: 'csv' })}
      >
        {strings.exportCsv}
      </button>
      <button type="button" class="button secondary" data-testid="refresh" onClick={() => state.call('refresh')}>
        <Icon name="refresh" />
        {strings.refresh}
      </button>
    </div>
  );
}
