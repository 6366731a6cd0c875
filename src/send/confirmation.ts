import type { WireChat } from '../client/wireRequest.ts';
import type { FoundSecret } from '../gate/secrets/examineText.ts';
import type { AuditAsked } from '../protocol/audit/auditValues.ts';
import { ServiceError } from '../util/errors.ts';
import type { AuditHeader } from './audit.ts';
import type { Shortened } from './budget/leftOut.ts';
import type { LeftOutContent, RecognitionState } from './excludedContent.ts';
import type { Form } from './form/form.ts';

/** Everything that would be sent, in its final form. */
export interface Preview {
  /** The exact request that is sent; only the key is added to it. */
  readonly request: WireChat;
  readonly model: string;
  /** The Svc headers, each with the layers that set it. */
  readonly headers: readonly AuditHeader[];
  readonly files: readonly { readonly label: string; readonly bytes: number }[];
  /** Secrets that are masked in the request. */
  readonly masked: readonly FoundSecret[];
  /** Secrets that are sent unmasked, because the user chose so for an earlier message. */
  readonly unmasked: readonly FoundSecret[];
  /** The parts of the text of each message of the request, in their order. */
  readonly parts: readonly (readonly SentPart[])[];
  /** Attachments of earlier messages that may no longer be sent, and are omitted. */
  readonly excluded: readonly string[];
  /** Text of excluded files that the request leaves out. */
  readonly leftOut: readonly LeftOutContent[];
  readonly recognition: RecognitionState;
  /** The parts of the conversation that are left out so that the request fits the model's context window. */
  readonly shortened?: Shortened;
}

/** A part of the text of a message that is sent. */
export interface SentPart {
  /** The offset in UTF-16 units in the text of the message at which the part begins. */
  readonly start: number;
  readonly end: number;
  /** The attachment that the part quotes: all of it, or only what changed since an earlier message. */
  readonly file?: { readonly label: string; readonly bytes: number; readonly isChanges?: true };
  /** The label of an attachment that is quoted above, so that it is not quoted again. */
  readonly quotedAbove?: string;
  /** Whether the part precedes the user's text: see OutgoingMessage. */
  readonly isLead?: true;
  readonly masked: readonly PlacedSecret[];
  readonly unmasked: readonly PlacedSecret[];
}

/** A secret in a part of a message. Does not contain the secret itself. */
export interface PlacedSecret {
  readonly rule: string;
  /** The line of the part, counted from 0. */
  readonly line: number;
}

/** The reason why a request is sent again with changes: the first was too long, or the service may accept another form. */
export type Resent = 'too-long' | Form;

/** The question to the user before a request is sent. */
export interface ConfirmationRequest {
  readonly preview: Preview;
  /** The same request with the secrets of the new message unmasked; undefined if there are none, or if the policy forbids it. */
  readonly asIs?: Preview;
  /** The origin to which earlier messages were sent, if it differs from the present one. The user is then asked. */
  readonly previousOrigin?: string;
  /** Set if the request replaces one that the service refused. */
  readonly resentBecause?: Resent;
  /** Secrets in the new message. The user is asked if there are any. */
  readonly found: readonly FoundSecret[];
  /** Text of excluded files that is left out of the new message. The user is asked if there is any. */
  readonly leftOutOfMessage: readonly LeftOutContent[];
  /** Text of excluded files that is left out of the model's last calls of tools. The user is asked if it is set. */
  readonly leftOutOfCalls?: readonly LeftOutContent[];
}

/** `send-as-agreed` means masked and not shown, because the user has approved the whole run in advance. */
export type ConfirmationChoice = 'send-masked' | 'send-as-is' | 'send-as-agreed' | 'cancel';

/** Asks the user. Must settle when the signal aborts. */
export type ConfirmSend = (request: ConfirmationRequest, signal: AbortSignal) => Promise<ConfirmationChoice>;

/** The request was stopped while it was prepared: no part of it was sent. */
export class StoppedError extends ServiceError<'aborted'> {
  constructor() {
    super('aborted', 'The request was stopped before it was sent.', { code: 'aborted' });
  }
}

/** The user was asked, and declined or stopped the request. `asked` contains what they were asked about. */
export class DeclinedError extends ServiceError<'aborted'> {
  readonly asked: readonly AuditAsked[];

  constructor({ found, leftOutOfMessage, leftOutOfCalls = [], previousOrigin, resentBecause }: ConfirmationRequest) {
    super('aborted', 'The user declined to send the request.', { code: 'aborted' });
    const asked: readonly AuditAsked[] = [
      ...(found.length > 0 ? (['secrets'] as const) : []),
      ...(leftOutOfMessage.length + leftOutOfCalls.length > 0 ? (['excluded-content'] as const) : []),
      ...(previousOrigin === undefined ? [] : (['address'] as const)),
      ...(resentBecause === undefined ? [] : (['changed-form'] as const)),
    ];
    // If nothing in the request requires a question, the user saw the preview.
    this.asked = asked.length > 0 ? asked : ['preview'];
  }
}
