/** What the page of the audit log and the host say to each other. */

/** A request with its outcome. */
export interface AuditRow {
  readonly request: string;
  /** Epoch, milliseconds. */
  readonly at: number;
  readonly action: string;
  readonly model: string;
  /** Its headers' values in one line, such as `maximum · eu-west`; empty where it had none. */
  readonly posture: string;
  readonly outcome: string;
  readonly confirmation: string;
  /** Kind of error and status, where it failed. */
  readonly error: string;
  readonly durationMs: number | null;
  readonly tokens: number | null;
  readonly files: number;
  readonly maskings: number;
  readonly unmasked: number;
}

/** Something else that was recorded. */
export interface AuditEventRow {
  readonly at: number;
  /** Already localised. */
  readonly text: string;
}

export interface AuditVerdictView {
  readonly isIntact: boolean;
  /** Already localised. */
  readonly text: string;
}

export interface AuditData {
  readonly rows: readonly AuditRow[];
  readonly events: readonly AuditEventRow[];
  readonly badLines: number;
  /** Absent until it was asked for. */
  readonly verdict?: AuditVerdictView;
}

export type AuditHostMessage = { readonly type: 'data'; readonly data: AuditData };

export type AuditCall = { readonly type: 'ready' } | { readonly type: 'verify' } | { readonly type: 'export' };

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
  readonly model: string;
  readonly posture: string;
  readonly outcome: string;
  readonly any: string;
  readonly verify: string;
  readonly export: string;
  readonly requests: string;
  readonly failed: string;
  readonly contradicted: string;
  readonly masked: string;
  readonly medianLatency: string;
  readonly tokens: string;
  readonly byDay: string;
  readonly byModel: string;
  readonly byPosture: string;
  readonly byOutcome: string;
  readonly byLatency: string;
  readonly byTokens: string;
  readonly asTable: string;
  readonly value: string;
  readonly count: string;
  readonly time: string;
  readonly action: string;
  readonly confirmation: string;
  readonly duration: string;
  readonly files: string;
  readonly events: string;
  readonly event: string;
  readonly none: string;
  readonly noPosture: string;
  readonly badLines: string;
  /** `{0}` more. */
  readonly more: string;
}
