import { Fragment } from 'preact';
import { useId } from 'preact/hooks';
import type { AuditPosture, AuditStrings } from '../../protocol/audit/auditMessages.ts';
import type { AuditRow } from '../../protocol/audit/auditRequest.ts';
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
      <tr class={isOpen ? 'opened' : undefined} data-confirmation={row.confirmation}>
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
          {/* This mark is in the first column, which is visible at every width. */}
          {row.confirmation === 'contradicted' && (
            <div class="bad">
              <Icon name="error" />
              {strings.contradicted}
            </div>
          )}
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
        <td class="number">{row.durationMs === undefined ? nothing : formats.duration(row.durationMs)}</td>
        <td class="number">{tokensIn(row, formats)}</td>
        <td class="posture">{row.posture === '' ? strings.noPosture : <bdi>{row.posture}</bdi>}</td>
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

/** Returns the tokens that the service counted, or the estimate with a sign that marks it. */
function tokensIn({ totalTokens, estimatedTokens }: AuditRow, formats: Formats): string {
  if (totalTokens !== undefined) return formats.number(totalTokens);
  return estimatedTokens === undefined ? nothing : `≈ ${formats.number(estimatedTokens)}`;
}

/** Describes an error by its kind and the status of the response. The log may contain kinds from a later version. */
function faultOf({ error = '', status }: AuditRow, { errors }: AuditStrings): string {
  const kind = Object.hasOwn(errors, error) ? errors[error] : error;
  return [kind, status === 200 ? undefined : status].filter((part) => part !== '' && part !== undefined).join(', ');
}

/** Returns a text such as `all (12 / 12); other ignored files: 300`. */
function recognitionIn(
  { recognition, recognizedFiles = 0, excludedFiles = 0, otherIgnoredFiles = 0 }: AuditRow,
  strings: AuditStrings,
  formats: Formats,
): string {
  if (recognition === undefined) return nothing;
  const known = `${strings.recognitions[recognition]} (${formats.number(recognizedFiles)} / ${formats.number(excludedFiles)})`;
  if (otherIgnoredFiles === 0) return known;
  return `${known}; ${strings.otherIgnoredFiles}: ${formats.number(otherIgnoredFiles)}`;
}

/** The fields that are shown in the row itself. */
type InRow =
  | 'at'
  | 'action'
  | 'model'
  | 'outcome'
  | 'error'
  | 'status'
  | 'durationMs'
  | 'totalTokens'
  | 'estimatedTokens'
  | 'posture';
/** All other fields, except the id and three that are part of `recognition`; the compiler asks for each. */
type FactName = Exclude<keyof AuditRow, InRow | 'request' | 'excludedFiles' | 'recognizedFiles' | 'otherIgnoredFiles'>;
type Fact = readonly [label: string, value: string, isBad?: boolean];

function Facts({ row, headers }: { readonly row: AuditRow; readonly headers: Headers }) {
  const { strings, formats } = useAudit();
  const count = (value: number | undefined): string => (value === undefined ? nothing : formats.number(value));
  const { confirmation, ...others }: Readonly<Record<FactName, Fact>> = {
    confirmation: [strings.confirmation, strings.confirmations[row.confirmation], row.confirmation === 'contradicted'],
    origin: [strings.origin, row.origin],
    bytes: [strings.size, formats.bytes(row.bytes)],
    files: [strings.files, count(row.files)],
    maskings: [strings.masked, count(row.maskings)],
    unmasked: [strings.unmasked, count(row.unmasked)],
    exclusions: [strings.exclusions, count(row.exclusions)],
    contentLeftOut: [strings.contentLeftOut, count(row.contentLeftOut)],
    recognition: [strings.recognition, recognitionIn(row, strings, formats)],
    previewed: [strings.previewed, row.previewed ? strings.yes : strings.no],
    retries: [strings.retries, count(row.retries ?? 0)],
    promptTokens: [strings.promptTokens, count(row.promptTokens)],
    completionTokens: [strings.completionTokens, count(row.completionTokens)],
    finishReason: [strings.finishReason, row.finishReason || nothing],
    requestId: [strings.requestId, row.requestId || nothing],
  };
  const headerFacts = headers.map(({ name, value }): Fact => [name, value]);
  const facts = [confirmation, ...headerFacts, ...Object.values(others)];
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
