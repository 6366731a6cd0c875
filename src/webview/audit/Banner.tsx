import { fill } from '../text.ts';
import { Icon } from '../view/Icon.tsx';
import { useAudit } from './state.ts';

/** Shows the result of the integrity check, and errors. */
export function Banner() {
  const { state, strings } = useAudit();
  const badLines = state.data.value?.badLines ?? 0;
  const error = state.error.value;
  return (
    <>
      <div role="status">
        <Verdict />
        <Reading />
        <Contradicted />
      </div>
      <div role="alert">
        {badLines > 0 && (
          <p class="banner bad" data-testid="bad-lines">
            <Icon name="warning" />
            <span>{fill(strings.badLines, badLines)}</span>
          </p>
        )}
        {error !== '' && (
          <p class="banner bad" data-testid="error">
            <Icon name="error" />
            <span>{error}</span>
          </p>
        )}
      </div>
    </>
  );
}

/** States that the log is still being read, so that partial numbers are not mistaken for the totals. */
function Reading() {
  const { state, strings } = useAudit();
  if (state.data.value?.isWhole !== false) return null;
  return (
    <p class="banner" data-testid="reading">
      <Icon name="loading" isSpinning />
      <span>{strings.reading}</span>
    </p>
  );
}

/** The number of requests, among those that match the filters, that the service contradicts. */
function Contradicted() {
  const { state, strings, formats } = useAudit();
  const { contradicted } = state.summary.value;
  if (contradicted === 0) return null;
  return (
    <p class="banner bad" data-testid="contradicted">
      <Icon name="error" />
      <span>{fill(strings.contradictedRequests, formats.number(contradicted))}</span>
      {state.filter.value.confirmation === '' && (
        <button
          type="button"
          class="button secondary"
          data-testid="show-contradicted"
          onClick={() => state.change({ confirmation: 'contradicted' })}
        >
          {strings.showContradicted}
        </button>
      )}
    </p>
  );
}

function Verdict() {
  const { state, strings, formats } = useAudit();
  if (state.isVerifying.value) {
    return (
      <p class="banner" data-testid="verdict">
        <Icon name="loading" isSpinning />
        <span>{strings.verifying}</span>
      </p>
    );
  }
  const data = state.data.value;
  if (data === undefined) return null;
  const { verdict } = data;
  if (verdict === undefined) {
    return (
      <p class="banner" data-testid="verdict">
        <Icon name="info" />
        <span>
          {strings.notVerified} {data.unsigned}
        </span>
      </p>
    );
  }
  return (
    <div class={verdict.isIntact ? 'banner good' : 'banner bad'} data-testid="verdict">
      <Icon name={verdict.isIntact ? 'pass' : 'error'} />
      <div>
        <p>
          {verdict.text} <span class="quiet">{fill(strings.verifiedAt, formats.moment(verdict.at))}</span>
        </p>
        <Sentences of={verdict.breaks} />
        <Sentences of={[...verdict.facts, ...(data.unsigned === '' ? [] : [data.unsigned])]} />
      </div>
    </div>
  );
}

function Sentences({ of }: { readonly of: readonly string[] }) {
  if (of.length === 0) return null;
  return (
    <ul>
      {of.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
