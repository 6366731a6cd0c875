import { auditConfirmations, auditOutcomes } from '../../protocol/audit/auditValues.ts';
import { dayOf, type Filter, onlyRefused, type Period, periods, withoutHeaders } from './filter.ts';
import { useAudit } from './state.ts';

type Choice = readonly [value: string, label: string];

/** The filters other than the period. */
const chosen = ['model', 'posture', 'outcome', 'confirmation'] as const;

/** The filters of the page. */
export function Filters() {
  const { state, strings } = useAudit();
  const filter = state.filter.value;
  const rows = state.data.value?.rows ?? [];
  const words = (of: 'model' | 'posture'): readonly string[] =>
    [...new Set(rows.map((row) => row[of]))].filter((word) => word !== '').sort();
  const hasBare = rows.some(({ posture }) => posture === '');
  const choose = (name: keyof Filter) => (value: string) => state.change({ [name]: value });
  const select = (name: (typeof chosen)[number], choices: readonly Choice[]) => (
    <Select
      {...{ name, choices }}
      label={strings[name]}
      value={filter[name]}
      any={strings.any}
      onChange={choose(name)}
    />
  );
  return (
    <form class="filters" aria-label={strings.filters} onSubmit={(event) => event.preventDefault()}>
      <Select
        name="period"
        label={strings.period}
        value={filter.period}
        choices={periods.map((period) => [period, strings[period]])}
        onChange={(value) => state.change({ period: value as Period, ...datesFor(value, filter) })}
      />
      {filter.period === 'days' && (
        <>
          <Day name="from" label={strings.from} value={filter.from} onChange={choose('from')} />
          <Day name="to" label={strings.to} value={filter.to} onChange={choose('to')} />
        </>
      )}
      {select(
        'model',
        words('model').map((word) => [word, word]),
      )}
      {select('posture', [
        ...words('posture').map((word): Choice => [word, word]),
        ...(hasBare ? [[withoutHeaders, strings.noPosture] as const] : []),
      ])}
      {select('outcome', [
        ...auditOutcomes.map((name): Choice => [name, strings.outcomes[name]]),
        [onlyRefused, strings.outcomeRefused],
      ])}
      {select(
        'confirmation',
        auditConfirmations.map((name) => [name, strings.confirmations[name]]),
      )}
      {chosen.some((name) => filter[name] !== '') && (
        <button type="button" class="button secondary" data-testid="clear" onClick={() => state.clear()}>
          {strings.clearFilters}
        </button>
      )}
    </form>
  );
}

/** A custom period starts as the last seven days, for the user to change. */
function datesFor(period: string, { from, to }: Filter): Partial<Filter> {
  if (period !== 'days' || from !== '' || to !== '') return {};
  const today = new Date();
  return { to: dayOf(today.getTime()), from: dayOf(today.setDate(today.getDate() - 6)) };
}

interface SelectProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** The label of the option that matches everything. It is omitted if the user must choose. */
  readonly any?: string;
  readonly choices: readonly Choice[];
  readonly onChange: (value: string) => void;
}

function Select({ name, label, value, any, choices, onChange }: SelectProps) {
  // Keeps a filter value that is no longer in the log among the options.
  const isKnown = value === '' || choices.some(([choice]) => choice === value);
  return (
    <label class="field">
      <span>{label}</span>
      <select data-testid={name} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {any !== undefined && <option value="">{any}</option>}
        {!isKnown && <option value={value}>{value}</option>}
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface DayProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Day({ name, label, value, onChange }: DayProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="date"
        data-testid={name}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}
