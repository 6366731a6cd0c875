import type { LayerRef } from '../policy/requestPolicy.ts';

/** What a person did that sent a request. */
export const auditActions = ['chat', 'explain', 'generate', 'review', 'inlineCompletions', 'languageModel'] as const;
export type AuditAction = (typeof auditActions)[number];

/** A header of a request and the layers that ask for it. Its value is one of the interface document's own words. */
export interface AuditHeader {
  readonly name: string;
  readonly value: string;
  readonly setBy: readonly LayerRef[];
}

/** How the service's receipt compares with what was asked: see receipt.ts. `none`: no receipt, or nothing was asked. */
export type Confirmation = 'confirmed' | 'not-confirmed' | 'contradicted' | 'none';

export type AuditOutcome = 'complete' | 'interrupted' | 'stopped' | 'failed' | 'unknown';

/** What is written down of something that happened. Content-free: counts and the interface's own words, no text. */
export type AuditEntry =
  /** The first of each file. */
  | {
      readonly kind: 'session-started';
      readonly versions: Readonly<Record<string, string>>;
      /** Of the process that writes: while it lives, what it has begun may still end. */
      readonly pid: number;
    }
  /** On disk before the first byte leaves. */
  | {
      readonly kind: 'request-intent';
      /** Joins the intent and its outcome. */
      readonly request: string;
      readonly action: AuditAction;
      readonly origin: string;
      readonly model: string;
      readonly headers: readonly AuditHeader[];
      /** Attached files (or parts of files). */
      readonly files: number;
      /** Of the request's body, UTF-8. */
      readonly bytes: number;
      /** Secrets that were masked. */
      readonly maskings: number;
      /** Secrets that a person chose to send as they are. */
      readonly unmasked: number;
      /** Files that were left out because they may not leave. */
      readonly exclusions: number;
      /** The person saw the exact text before it left. */
      readonly previewed: boolean;
    }
  | {
      readonly kind: 'request-outcome';
      readonly request: string;
      readonly outcome: AuditOutcome;
      /** The kind of a ServiceError, where it failed. */
      readonly error?: string;
      readonly status?: number;
      /** The service's id of the request. */
      readonly requestId?: string;
      readonly finishReason?: string;
      readonly promptTokens?: number;
      readonly completionTokens?: number;
      readonly totalTokens?: number;
      readonly durationMs?: number;
      readonly retries?: number;
      readonly confirmation: Confirmation;
    }
  /** A call of a tool that an answer asked for. */
  | {
      readonly kind: 'tool-call';
      readonly tool: string;
      /** `none`: the person was not asked. */
      readonly decision: 'once' | 'conversation' | 'denied' | 'none';
      readonly outcome: 'done' | 'failed' | 'refused' | 'denied' | 'capped' | 'stopped';
      /** Of what the model is told of it, UTF-8. */
      readonly bytes: number;
    }
  | { readonly kind: 'key-set' | 'key-removed'; readonly origin: string }
  /** `state` says which: `none`, `in force`, or why it cannot be used. `digest` is the SHA-256 of the file. */
  | { readonly kind: 'policy-changed'; readonly state: string; readonly digest?: string }
  | { readonly kind: 'log-exported'; readonly format: 'jsonl' | 'csv'; readonly records: number }
  | {
      readonly kind: 'log-verified';
      readonly verdict: 'intact' | 'broken';
      readonly files: number;
      readonly records: number;
    }
  /** What svc.purgeLocalData removed, in numbers. */
  | { readonly kind: 'data-purged'; readonly conversations: number; readonly keys: number };

/** Where entries go. */
export interface AuditTrail {
  /** Resolves when the entry is on the disk (fsync). Throws a ServiceError of kind `gate`, code `audit-unwritable`. */
  record(entry: AuditEntry): Promise<void>;
}
