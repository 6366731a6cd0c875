import type { AuditRow } from './auditRequest.ts';
import type { AuditAction, AuditConfirmation, AuditOutcome, AuditRecognition } from './auditValues.ts';

/** Messages between the page of the audit log and the host. These messages contain no content of requests or answers. */

/** The width of a column in a chart over time. */
export type AuditUnit = 'hour' | 'day' | 'week' | 'month' | 'year';

/** The headers behind a posture line: sent once per posture, not once per request. */
export interface AuditPosture {
  readonly label: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

/** Requests that were refused at the gate for one reason: no part of them was sent. */
export interface AuditRefusalRow {
  readonly at: number;
  readonly action: AuditAction;
  /** Localized. */
  readonly reason: string;
  readonly count: number;
}

/** A recorded event that is not a request. */
export interface AuditEventRow {
  readonly at: number;
  /** Localized. */
  readonly text: string;
}

export interface AuditVerdictView {
  readonly isIntact: boolean;
  /** Localized. */
  readonly text: string;
  /** The file, line and reason of each break, localized. */
  readonly breaks: readonly string[];
  /** Statements about what the check proves, who vouches for it, and what it does not prove, localized. */
  readonly facts: readonly string[];
  /** The time of the check (epoch, ms). Later records are not checked. */
  readonly at: number;
}

/** The status of the log as a whole. */
export interface AuditStatus {
  /** Whether everything that was in the log has been sent. Otherwise, the older part of it follows. */
  readonly isWhole: boolean;
  /** The number of damaged lines in the part that has been read so far. */
  readonly badLines: number;
  /** States what is not signed yet, and why, localized; empty if everything is signed. */
  readonly unsigned: string;
  /** The result of the last check; omitted until the user asks for a check. */
  readonly verdict?: AuditVerdictView;
}

/** The data that the page shows. */
export interface AuditData extends AuditStatus {
  /** Oldest first. */
  readonly rows: readonly AuditRow[];
  readonly postures: readonly AuditPosture[];
  /** Oldest first. */
  readonly refusals: readonly AuditRefusalRow[];
  /** Oldest first. */
  readonly events: readonly AuditEventRow[];
}

/** The message that the host sends in addition to replies. A log can be large, so each part of it is sent once. */
export interface AuditDataMessage {
  readonly type: 'data';
  /** Whether the page discards the parts that it already has. */
  readonly isNew: boolean;
  /** The parts of the log, each an AuditPart as JSON in UTF-8. */
  readonly parts: readonly Uint8Array[];
  readonly status: AuditStatus;
}

/**
 * The calls of the page. Before the reply, all calls except `export` and `openChat` send the data that the page does not have.
 */
export interface AuditCalls {
  ready(): void;
  refresh(): void;
  verify(): void;
  export(params: { readonly format: 'evidence' | 'csv' }): void;
  /** Opens the chat; offered while nothing is recorded. */
  openChat(): void;
}

/** Texts of the page, in the `data-strings` attribute of body. */
export interface AuditStrings {
  readonly title: string;
  readonly period: string;
  readonly today: string;
  readonly week: string;
  readonly month: string;
  readonly all: string;
  readonly days: string;
  readonly from: string;
  readonly to: string;
  readonly filters: string;
  readonly clearFilters: string;
  readonly model: string;
  readonly posture: string;
  readonly outcome: string;
  readonly any: string;
  readonly verify: string;
  readonly verifying: string;
  readonly notVerified: string;
  /** `{0}` is a time. */
  readonly verifiedAt: string;
  readonly refresh: string;
  readonly exportEvidence: string;
  readonly exportCsv: string;
  readonly totals: string;
  readonly requests: string;
  readonly failed: string;
  readonly contradicted: string;
  /** `{0}` is the number of contradicted requests. */
  readonly contradictedRequests: string;
  readonly showContradicted: string;
  readonly masked: string;
  readonly medianLatency: string;
  readonly p95Latency: string;
  readonly tokens: string;
  readonly byTime: Readonly<Record<AuditUnit, string>>;
  readonly byModel: string;
  readonly byAction: string;
  readonly byPosture: string;
  readonly byOutcome: string;
  readonly byTokens: Readonly<Record<AuditUnit, string>>;
  readonly asTable: string;
  /** Shown instead of a chart without data. */
  readonly noTokens: string;
  readonly share: string;
  readonly others: string;
  /** `{0}` is the number of answers without a number of tokens. */
  readonly unreported: string;
  readonly time: string;
  readonly action: string;
  readonly confirmation: string;
  readonly duration: string;
  readonly files: string;
  readonly size: string;
  readonly unmasked: string;
  readonly exclusions: string;
  readonly contentLeftOut: string;
  readonly recognition: string;
  readonly otherIgnoredFiles: string;
  readonly recognitions: Readonly<Record<AuditRecognition, string>>;
  readonly previewed: string;
  readonly yes: string;
  readonly no: string;
  readonly retries: string;
  readonly promptTokens: string;
  readonly completionTokens: string;
  readonly finishReason: string;
  readonly requestId: string;
  readonly origin: string;
  readonly refused: string;
  readonly outcomeRefused: string;
  readonly refusals: string;
  readonly refusalsHint: string;
  readonly reason: string;
  readonly count: string;
  readonly noRefusals: string;
  readonly events: string;
  readonly event: string;
  readonly noPosture: string;
  readonly emptyTitle: string;
  readonly emptyHint: string;
  readonly openChat: string;
  readonly noMatch: string;
  readonly noEvents: string;
  /** `{0}` is the number of damaged lines. */
  readonly badLines: string;
  /** Shown while older parts of the log are still being read. */
  readonly reading: string;
  /** `{0}` is the number of further rows. */
  readonly more: string;
  /** `{0}` is the number of requests that match the filters. */
  readonly shown: string;
  readonly outcomes: Readonly<Record<AuditOutcome, string>>;
  readonly confirmations: Readonly<Record<AuditConfirmation, string>>;
  readonly actions: Readonly<Record<AuditAction, string>>;
  /** The names of errors by kind. */
  readonly errors: Readonly<Record<string, string>>;
}
