import type { AuditEventRow, AuditPosture, AuditRefusalRow } from './auditMessages.ts';
import type { FieldsOf, outcomeFields, requestFields } from './auditRequest.ts';

/** A request, without its outcome. */
export type AuditRequestRow = FieldsOf<typeof requestFields> & {
  /** Epoch, milliseconds. */
  readonly at: number;
  readonly posture: string;
};

/** The outcome of a request, and the time (`at`) at which it was recorded, often in another part of the log. */
export type AuditOutcomeRow = FieldsOf<typeof outcomeFields> & { readonly at: number };

/** A part of the log, which is sent to the page as JSON in UTF-8. */
export interface AuditPart {
  readonly requests: PackedRows;
  readonly outcomes: PackedRows;
  readonly postures: readonly AuditPosture[];
  readonly refusals: readonly AuditRefusalRow[];
  readonly events: readonly AuditEventRow[];
}

/**
 * Rows, stored by column, which takes a third of the space of rows that contain the names of their fields. Null means that the
 * row has no such field.
 */
export interface PackedRows {
  readonly count: number;
  readonly columns: Readonly<Record<string, PackedColumn>>;
}

type Value = string | number | boolean | null;
/**
 * The values of a column: one per row, a single value that all rows have, or a list of words and the index of each row's word.
 */
type PackedColumn =
  | readonly Value[]
  | { readonly all: Value }
  | { readonly words: readonly Value[]; readonly at: readonly number[] };

/** Collects rows by column. */
export class Columns<Row extends object> {
  readonly #columns: ReadonlyMap<keyof Row & string, Value[]>;
  #count = 0;

  constructor(names: readonly (keyof Row & string)[]) {
    this.#columns = new Map(names.map((name) => [name, []]));
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a row. Values under other names are left out. */
  add(row: Row): void {
    this.#count += 1;
    for (const [name, values] of this.#columns) values.push((row[name] as Value | undefined) ?? null);
  }

  packed(): PackedRows {
    const columns = [...this.#columns].map(([name, values]) => [name, packedColumn(values)] as const);
    return { count: this.#count, columns: Object.fromEntries(columns) };
  }
}

function packedColumn(values: readonly Value[]): PackedColumn {
  const places = new Map<Value, number>();
  const maxWords = values.length / 4;
  const at: number[] = [];
  for (const value of values) {
    const place = places.get(value) ?? places.size;
    if (place === places.size) places.set(value, place);
    if (places.size > 1 && places.size > maxWords) return values;
    at.push(place);
  }
  const words = [...places.keys()];
  return words.length === 1 ? { all: words[0] as Value } : { words, at };
}

/** Restores the rows from their packed form. */
export function unpacked<Row>({ count, columns }: PackedRows): readonly Row[] {
  const rows = Array.from({ length: count }, (): Record<string, Value> => ({}));
  for (const [name, column] of Object.entries(columns)) {
    const valueAt = valuesOf(column);
    for (const [index, row] of rows.entries()) {
      const value = valueAt(index) ?? null;
      if (value !== null) row[name] = value;
    }
  }
  return rows as unknown as readonly Row[];
}

function valuesOf(column: PackedColumn): (index: number) => Value | undefined {
  if ('all' in column) return () => column.all;
  if ('words' in column) return (index) => column.words[column.at[index] ?? -1];
  return (index) => column[index];
}
