import type { WireChat } from '../../client/wireRequest.ts';
import type { FoundSecret } from '../../gate/secrets/examineText.ts';
import type { AuditHeader } from './audit.ts';

/** Everything that would leave, in its final form. */
export interface Preview {
  /** The exact request that is sent; only the key is added to it. */
  readonly request: WireChat;
  readonly model: string;
  /** The Svc headers, each with the layers that set it. */
  readonly headers: readonly AuditHeader[];
  readonly files: readonly { readonly label: string; readonly bytes: number }[];
  /** Secrets that are masked in its body. */
  readonly masked: readonly FoundSecret[];
  /** Secrets that are unmasked in its body, because the user chose so for an earlier message. */
  readonly unmasked: readonly FoundSecret[];
  /** Attachments of earlier messages that may no longer leave, and are omitted. */
  readonly excluded: readonly string[];
}

/** What the user is asked before a request leaves. */
export interface ConfirmationRequest {
  readonly preview: Preview;
  /** The same request with the new message's secrets unmasked; absent if there are none, or the policy forbids it. */
  readonly asIs?: Preview;
  /** The origin of the earlier messages, if it differs: a reason to ask. */
  readonly movedFrom?: string;
  /** Secrets in the new message: the reason to ask, if there are any. */
  readonly found: readonly FoundSecret[];
}

/** `send-as-agreed`: masked and not shown, because the user has approved the whole run in advance. */
export type ConfirmationChoice = 'send-masked' | 'send-as-is' | 'send-as-agreed' | 'cancel';

/** Asks the user. Must settle when the signal aborts. */
export type ConfirmSend = (request: ConfirmationRequest, signal: AbortSignal) => Promise<ConfirmationChoice>;
