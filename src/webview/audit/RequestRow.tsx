import { Fragment } from 'preact';
import { useId } from 'preact/hooks';
import type { AuditPosture, AuditRow, AuditStrings } from '../../protocol/auditMessages.ts';
import { Icon } from '../view/Icon.tsx';
import { type Formats, nothing } from './format.ts';
import { useAudit } from './state.ts';

type Headers = AuditPosture['headers'];

interface RequestRowProps {
  readonly row: AuditRow;
  readonly headers: Headers;
  /** The number of columns of the table. */
  readonly columns: number;
}

/** A request as a row of the table. Its button opens a second row with everything else that is recorded. */
export function RequestRow({ row, headers, columns }: RequestRowProps) {
  const { state, strings, formats } = useAudit();
  const id = useId();
  const isOpen = state.opened.value.has(row.request);
  const outcome = strings.outcomes[row.outcome];
  const fault = faultOf(row, strings);
  return (
    <Fragment>
      <tr class={isOpen ? 'opened' : undefined}>
        <td class="time">
          <button
            type="button"
            class="toggle"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={() => state.toggle(row.request)}
          >
            <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
            {formats.moment(row.at)}
          </button>
        </td>
        <td>{strings.actions[row.action]}</td>
        <td>
          <bdi>{row.model}</bdi>
        </td>
        <td class={row.outcome === 'failed' ? 'bad' : undefined}>
          {outcome}
          {fault !== '' && (
            <>
              {' ('}
              <bdi>{fault}</bdi>)
            </>
          )}
        </td>
        <td class="number">{row.durationMs === null ? nothing : formats.duration(row.durationMs)}</td>
        <td class="number">{row.tokens === null ? nothing : formats.number(row.tokens)}</td>
        <td class="posture">
          {row.posture === '' ? strings.noPosture : <bdi>{row.posture}</bdi>}
          {row.confirmation === 'contradicted' && (
            <div class="bad">
              <Icon name="error" />
              {strings.contradicted}
            </div>
          )}
        </td>
      </tr>
      {isOpen && (
        <tr id={id}>
          <td colSpan={columns}>
            <Facts row={row} headers={headers} />
          </td>
        </tr>
      )}
    </Fragment>
  );
}

/** Its kind and the status of the answer; a later version may have kinds that this one does not know. */
function faultOf({ error, status }: AuditRow, { errors }: AuditStrings): string {
  const kind = Object.hasOwn(errors, error) ? errors[error] : error;
  return [kind, status].filter((part) => part !== '' && part !== null).join(', ');
}

/** `all (12 / 12)`. */
function recognitionIn(
  { recognition, recognizedFiles = 0, excludedFiles = 0 }: AuditRow,
  strings: AuditStrings,
  formats: Formats,
): string {
  if (recognition === undefined) return nothing;
  return `${strings.recognitions[recognition]} (${formats.number(recognizedFiles)} / ${formats.number(excludedFiles)})`;
}

/** All recorded values of a request that are not in its row. */
function Facts({ row, headers }: { readonly row: AuditRow; readonly headers: Headers }) {
  const { strings, formats } = useAudit();
  const count = (value: number | null): string => (value === null ? nothing : formats.number(value));
  const facts: readonly (readonly [label: string, value: string, isBad?: boolean])[] = [
    [strings.confirmation, strings.confirmations[row.confirmation], row.confirmation === 'contradicted'],
    ...headers.map(({ name, value }) => [name, value] as const),
    [strings.origin, row.origin],
    [strings.size, formats.bytes(row.bytes)],
    [strings.files, count(row.files)],
    [strings.masked, count(row.maskings)],
    [strings.unmasked, count(row.unmasked)],
    [strings.exclusions, count(row.exclusions)],
    [strings.contentLeftOut, count(row.contentLeftOut ?? null)],
    [strings.recognition, recognitionIn(row, strings, formats)],
    [strings.previewed, row.previewed ? strings.yes : strings.no],
    [strings.retries, count(row.retries)],
    [strings.promptTokens, count(row.promptTokens)],
    [strings.completionTokens, count(row.completionTokens)],
    [strings.finishReason, row.finishReason || nothing],
    [strings.requestId, row.requestId || nothing],
  ];
  return (
    <dl class="facts">
      {facts.map(([label, value, isBad = false], index) => (
        <div key={index}>
          <dt>{label}</dt>
          <dd class={isBad ? 'bad' : undefined}>
            {isBad && <Icon name="error" />}
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
