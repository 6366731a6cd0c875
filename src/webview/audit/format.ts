import type { AuditUnit as Unit } from '../../protocol/audit/auditMessages.ts';

/** Numbers and times in the display language of VS Code. */
export interface Formats {
  number(value: number): string;
  /** Formats a number for an axis, such as `12K`. */
  compact(value: number): string;
  /** Formats a part as a percentage of the whole. */
  percent(part: number, whole: number): string;
  duration(ms: number): string;
  bytes(value: number): string;
  moment(at: number): string;
  /** Formats the start of a column, short enough for the axis. */
  tick(at: number, unit: Unit): string;
  /** Formats the start of a column in full, for a table. */
  span(at: number, unit: Unit): string;
}

export const nothing = '\u2013';

/** `language` is the language of the page. If it is invalid, the browser's default is used. */
export function formatsFor(language: string): Formats {
  const locale = Intl.DateTimeFormat.supportedLocalesOf(wellFormed(language))[0];
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const unit = (name: string, unitDisplay: 'short' | 'long' = 'short'): Intl.NumberFormat =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay, maximumFractionDigits: 1 });
  const [millisecond, second, minute] = [unit('millisecond'), unit('second'), unit('minute')];
  const [byte, kilobyte, megabyte] = [unit('byte', 'long'), unit('kilobyte'), unit('megabyte')];
  const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  const permille = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const date = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => new Intl.DateTimeFormat(locale, options);
  const moment = date({ dateStyle: 'medium', timeStyle: 'medium' });
  const hour = date({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const shortDay = date({ day: 'numeric', month: 'short' });
  const month = date({ month: 'short', year: 'numeric' });
  const year = date({ year: 'numeric' });
  const fullHour = date({ dateStyle: 'medium', timeStyle: 'short' });
  const fullDay = date({ dateStyle: 'medium' });
  const ticks: Readonly<Record<Unit, Intl.DateTimeFormat>> = { hour, day: shortDay, week: shortDay, month, year };
  const spans: Readonly<Record<Unit, Intl.DateTimeFormat>> = {
    hour: fullHour,
    day: fullDay,
    week: fullDay,
    month,
    year,
  };
  return {
    number: (value) => number.format(value),
    compact: (value) => compact.format(value),
    percent(part, whole) {
      const share = whole === 0 ? 0 : part / whole;
      // A small share must not show as zero.
      return (share < 0.01 ? permille : percent).format(share);
    },
    duration(ms) {
      const whole = Math.round(ms);
      if (whole < 1_000) return millisecond.format(whole);
      const tenths = Math.round(ms / 100);
      if (tenths < 600) return second.format(tenths / 10);
      const seconds = Math.round(ms / 1_000);
      return `${minute.format(Math.floor(seconds / 60))} ${second.format(seconds % 60)}`;
    },
    bytes(value) {
      if (value < 1_024) return byte.format(value);
      return value < 1_048_576 ? kilobyte.format(value / 1_024) : megabyte.format(value / 1_048_576);
    },
    moment: (at) => moment.format(at),
    tick: (at, unit) => ticks[unit].format(at),
    span: (at, unit) => spans[unit].format(at),
  };
}

function wellFormed(language: string): readonly string[] {
  try {
    return Intl.getCanonicalLocales(language);
  } catch {
    return [];
  }
}
