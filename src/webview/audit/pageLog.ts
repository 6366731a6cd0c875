import type {
  AuditData,
  AuditEventRow,
  AuditPosture,
  AuditRefusalRow,
  AuditStatus,
} from '../../protocol/audit/auditMessages.ts';
import {
  type AuditOutcomeRow,
  type AuditPart,
  type AuditRequestRow,
  unpacked,
} from '../../protocol/audit/auditPart.ts';
import type { AuditRow } from '../../protocol/audit/auditRequest.ts';

interface Joined {
  readonly row: AuditRow;
  /** The time when the outcome was recorded (epoch, ms), or NaN if there is no outcome. */
  readonly endedAt: number;
}

/** The parts of the log that have arrived, in any order: requests are joined with their outcomes. */
export class PageLog {
  readonly #requests = new Map<string, Joined>();
  /** Outcomes whose request is in a part that has not arrived. */
  readonly #early = new Map<string, AuditOutcomeRow>();
  readonly #postures = new Map<string, AuditPosture>();
  readonly #refusals: AuditRefusalRow[] = [];
  readonly #events: AuditEventRow[] = [];

  add({ requests, outcomes, postures, refusals, events }: AuditPart): void {
    for (const posture of postures) this.#postures.set(posture.label, posture);
    for (const refusal of refusals) this.#refusals.push(refusal);
    for (const event of events) this.#events.push(event);
    for (const row of unpacked<AuditRequestRow>(requests)) this.#addRequest(row);
    for (const row of unpacked<AuditOutcomeRow>(outcomes)) this.#addOutcome(row);
  }

  /** A request without an outcome is still running, or its outcome is unknown. */
  #addRequest(request: AuditRequestRow): void {
    const known = this.#requests.get(request.request);
    // Two requests have the same id only in a damaged log.
    if (known !== undefined && known.row.at > request.at) return;
    const row: AuditRow = { outcome: 'unknown', confirmation: 'none', ...known?.row, ...request };
    this.#requests.set(request.request, { row, endedAt: known?.endedAt ?? Number.NaN });
    const early = this.#early.get(request.request);
    if (early === undefined) return;
    this.#early.delete(request.request);
    this.#addOutcome(early);
  }

  #addOutcome(ended: AuditOutcomeRow): void {
    const known = this.#requests.get(ended.request);
    if (known === undefined) {
      const early = this.#early.get(ended.request);
      if (early === undefined || isBetter(ended, early.outcome, early.at)) this.#early.set(ended.request, ended);
      return;
    }
    if (!isBetter(ended, known.row.outcome, known.endedAt)) return;
    const { at, ...outcome } = ended;
    this.#requests.set(ended.request, { row: { ...known.row, ...outcome }, endedAt: at });
  }

  /** Returns everything that has arrived, oldest first. */
  data(status: AuditStatus): AuditData {
    const rows = Array.from(this.#requests.values(), ({ row }) => row);
    return {
      ...status,
      rows: rows.sort(byTime),
      postures: [...this.#postures.values()],
      refusals: [...this.#refusals].sort(byTime),
      events: [...this.#events].sort(byTime),
    };
  }
}

/**
 * Whether an outcome replaces the known one. The next session only assumes `unknown`: an outcome recorded by the session that ran
 * the request takes precedence. Otherwise, the later outcome does.
 */
function isBetter({ outcome, at }: AuditOutcomeRow, known: AuditRow['outcome'], since: number): boolean {
  if (outcome === 'unknown') return known === 'unknown';
  return known === 'unknown' || !(since > at);
}

function byTime(a: { readonly at: number }, b: { readonly at: number }): number {
  return a.at - b.at;
}
