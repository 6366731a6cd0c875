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
  /** Secrets that are masked in its body. */
  readonly masked: readonly FoundSecret[];
  /** Secrets that are unmasked in its body, because the user chose so for an earlier message. */
  readonly unmasked: readonly FoundSecret[];
  /** The parts of the text of each message in its body, in their order. */
  readonly parts: readonly (readonly SentPart[])[];
  /** Attachments of earlier messages that may no longer be sent, and are omitted. */
  readonly excluded: readonly string[];
  /** Text of excluded files that the request leaves out. */
  readonly leftOut: readonly LeftOutContent[];
  readonly recognition: RecognitionState;
  /** The parts of the conversation that are left out so that the request fits what the model reads. */
  readonly shortened?: Shortened;
}

/** A part of the text of a message that is sent. */
export interface SentPart {
  /** Its place in the text of the message, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The attachment that it quotes: all of it, or only what changed since an earlier message. */
  readonly file?: { readonly label: string; readonly bytes: number; readonly isChanges?: true };
  /** The name of an attachment that is above, so that it is not quoted again. */
  readonly repeats?: string;
  /** Whether it precedes the user's text: see OutgoingMessage. */
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

/** The reason why a changed request is sent again: it was too long, or the service may accept this form. */
export type Resent = 'too-long' | Form;

/** The question to the user before a request is sent. */
export interface ConfirmationRequest {
  readonly preview: Preview;
  /** The same request with the new message's secrets unmasked; undefined if it has no secrets, or the policy forbids it. */
  readonly asIs?: Preview;
  /** The origin of the earlier messages, if it differs: a reason to ask. */
  readonly movedFrom?: string;
  /** Set if the request replaces one that the service refused. */
  readonly because?: Resent;
  /** Secrets in the new message: the reason to ask, if there are any. */
  readonly found: readonly FoundSecret[];
  /** Text of excluded files that is left out of the new message: a reason to ask, too. */
  readonly typed: readonly LeftOutContent[];
}

/** `send-as-agreed` means masked and not shown, because the user has approved the whole run in advance. */
export type ConfirmationChoice = 'send-masked' | 'send-as-is' | 'send-as-agreed' | 'cancel';

/** Asks the user. Must settle when the signal aborts. */
export type ConfirmSend = (request: ConfirmationRequest, signal: AbortSignal) => Promise<ConfirmationChoice>;

/** The request was stopped while it was prepared, so that nothing of it was sent. */
export class StoppedError extends ServiceError<'aborted'> {
  constructor() {
    super('aborted', 'The request was stopped before it was sent.', { code: 'aborted' });
  }
}

/** The user was asked, and declined or stopped the request. `asked` contains what they were asked about. */
export class DeclinedError extends ServiceError<'aborted'> {
  readonly asked: readonly AuditAsked[];

  constructor({ found, typed, movedFrom, because }: ConfirmationRequest) {
    super('aborted', 'The user declined to send the request.', { code: 'aborted' });
    const asked: readonly AuditAsked[] = [
      ...(found.length > 0 ? (['secrets'] as const) : []),
      ...(typed.length > 0 ? (['excluded-content'] as const) : []),
      ...(movedFrom === undefined ? [] : (['address'] as const)),
      ...(because === undefined ? [] : (['changed-form'] as const)),
    ];
    // Nothing in the request itself is a reason to ask.
    this.asked = asked.length > 0 ? asked : ['preview'];
  }
}
