import { type FlagWords, headerLabel } from '../../../policy/compliance/headerLabel.ts';
import type { AuditEventRow, AuditPosture, AuditRefusalRow } from '../../../protocol/audit/auditMessages.ts';
import {
  type AuditOutcomeRow,
  type AuditPart,
  type AuditRequestRow,
  Columns,
  unpacked,
} from '../../../protocol/audit/auditPart.ts';
import { outcomeFields, requestFields } from '../../../protocol/audit/auditRequest.ts';
import type { AuditEntry, AuditEntryOf } from '../../../send/audit.ts';
import { append } from '../../../util/append.ts';

/** An entry that was read from the log. */
export type StampedEntry = { readonly seq: number; readonly time: string; readonly session: string } & AuditEntry;

export interface RowWords {
  readonly flags: FlagWords;
  /** Return the localized rows of refused requests, and of other events. */
  readonly refusalRows: (records: readonly StampedEntry[]) => readonly AuditRefusalRow[];
  readonly eventRows: (records: readonly StampedEntry[]) => readonly AuditEventRow[];
}

/** Collects the rows of records, and encodes them for the page. */
export class RecordRows {
  readonly #requests = new Columns<AuditRequestRow>([...namesOf(requestFields), 'at', 'posture']);
  readonly #outcomes = new Columns<AuditOutcomeRow>([...namesOf(outcomeFields), 'at']);
  readonly #postures = new Map<string, AuditPosture>();
  readonly #refusals: AuditRefusalRow[] = [];
  readonly #events: AuditEventRow[] = [];

  get count(): number {
    return this.#requests.count + this.#outcomes.count + this.#refusals.length + this.#events.length;
  }

  add(record: StampedEntry, { flags, refusalRows, eventRows }: RowWords): void {
    switch (record.kind) {
      case 'request-intent':
        this.#requests.add({ ...record, at: timeOf(record.time), posture: this.#postureOf(record, flags) });
        return;
      case 'request-outcome':
        this.#outcomes.add({ ...record, at: timeOf(record.time) });
        return;
      case 'refused':
        append(this.#refusals, refusalRows([record]));
        return;
      default:
        append(this.#events, eventRows([record]));
    }
  }

  #postureOf({ headers }: AuditEntryOf<'request-intent'>, words: FlagWords): string {
    const label = headerLabel(headers, words);
    // The headers of a posture are sent once, not with each request.
    if (label !== '' && !this.#postures.has(label))
      this.#postures.set(label, { label, headers: headers.map(({ name, value }) => ({ name, value })) });
    return label;
  }

  /** Adds the rows of a part that was sent before. */
  addSent(bytes: Uint8Array): void {
    const part = JSON.parse(new TextDecoder().decode(bytes)) as AuditPart;
    for (const row of unpacked<AuditRequestRow>(part.requests)) this.#requests.add(row);
    for (const row of unpacked<AuditOutcomeRow>(part.outcomes)) this.#outcomes.add(row);
    for (const posture of part.postures) this.#postures.set(posture.label, posture);
    append(this.#refusals, part.refusals);
    append(this.#events, part.events);
  }

  /** Returns the rows as an AuditPart, as JSON in UTF-8. */
  encoded(): Uint8Array {
    const part: AuditPart = {
      requests: this.#requests.packed(),
      outcomes: this.#outcomes.packed(),
      postures: [...this.#postures.values()],
      refusals: this.#refusals,
      events: this.#events,
    };
    return new TextEncoder().encode(JSON.stringify(part));
  }
}

function namesOf<T extends object>(fields: T): readonly (keyof T & string)[] {
  return Object.keys(fields) as (keyof T & string)[];
}

/** Parses a time. In a damaged log, an invalid time is treated as the earliest. */
export function timeOf(text: string): number {
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : at;
}
