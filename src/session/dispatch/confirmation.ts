import type { WireChat } from '../../client/wireRequest.ts';
import type { AuditHeader } from './audit.ts';

/** A secret that was found in what would be sent. The secret itself is nowhere in here. */
export interface FoundSecret {
  /** Such as `aws-access-key`. */
  readonly rule: string;
  /** The attachment it is in; null for the user's own words. */
  readonly where: string | null;
  /** Counted from 1, in the file where there is one. */
  readonly line: number;
}

/** Everything that would leave, as it would leave. */
export interface Preview {
  /** The very request that is sent; only the key is added to it. */
  readonly request: WireChat;
  readonly model: string;
  /** Of its headers the Svc headers, each with the layers that ask for it. */
  readonly headers: readonly AuditHeader[];
  readonly files: readonly { readonly label: string; readonly bytes: number }[];
  /** Secrets that are masked in its body. */
  readonly masked: readonly FoundSecret[];
  /** Secrets that stand in its body, because the user chose so for an earlier message. */
  readonly unmasked: readonly FoundSecret[];
  /** Attachments of earlier messages that may not leave any more, and are left out. */
  readonly excluded: readonly string[];
}

/** What a person is asked before a request leaves. */
export interface ConfirmationRequest {
  readonly preview: Preview;
  /** The same with the new message's secrets in it; absent where there are none, or the policy forbids it. */
  readonly asIs?: Preview;
  /** The origin that the earlier messages went to so far, where it is another one: a reason to ask. */
  readonly movedFrom?: string;
  /** Secrets in the new message: the reason to ask, where there are any. */
  readonly found: readonly FoundSecret[];
}

/** `send-as-agreed`: masked, and without being shown, because the user has agreed to the whole of a run before. */
export type ConfirmationChoice = 'send-masked' | 'send-as-is' | 'send-as-agreed' | 'cancel';

/** Asks the user. Must settle when the signal aborts. */
export type ConfirmSend = (request: ConfirmationRequest, signal: AbortSignal) => Promise<ConfirmationChoice>;
