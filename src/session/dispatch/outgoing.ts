import type { Message, ToolCall, ToolOffer } from '../../client/chat.ts';
import type { AskedModel, ModelKey } from '../../policy/requestOptions.ts';
import { type Attachment, placesOf } from '../conversation/attachment.ts';
import type { AuditAction } from './audit.ts';
import type { AsIs } from './destination.ts';

/** A message before it is known what of it may leave. */
export interface OutgoingMessage {
  readonly role: Message['role'];
  /** Joined by blank lines; an attachment is quoted with its name. */
  readonly parts: readonly (string | Attachment)[];
  /** What becomes of secrets in it: masked, the user is asked, or sent as they are where the user once chose so. */
  readonly secrets: 'mask' | 'ask' | AsIs;
  /** Whose words it holds, where they are not the user's: what a secret in it is said to be found in. */
  readonly label?: string;
  /** As in Message; examined and masked as the rest. */
  readonly toolCalls?: readonly ToolCall[];
  readonly toolCallId?: string;
}

/** What somebody wants to send, before it is known whether it may leave. */
export interface Outgoing {
  readonly action: AuditAction;
  readonly messages: readonly OutgoingMessage[];
  readonly modelKey: ModelKey;
  /** Where the settings ask for none. */
  readonly temperature?: number;
  readonly offer?: ToolOffer;
  /** At most so many tokens, where the settings do not ask for fewer. */
  readonly maxTokens?: number;
  /** The origin that the earlier messages went to, where it is known: see movedFrom in review.ts. */
  readonly cameFrom?: string;
  /** A model in the place of the setting's. */
  readonly askedModel?: AskedModel;
  /**
   * Where the content of the messages comes from: workspace folders, and documents outside of all of them (URIs). The
   * settings of every folder that contains one of these places count, and those of the attachments' places with them.
   */
  readonly folders: readonly string[];
}

/** `outgoing` with the places of all that is attached among its folders: whoever made it may have left some out. */
export function withAllPlaces(outgoing: Outgoing): Outgoing {
  return { ...outgoing, folders: [...new Set([...outgoing.folders, ...placesOf(attachmentsOf(outgoing))])] };
}

export function attachmentsOf({ messages }: Outgoing): readonly Attachment[] {
  return messages.flatMap(({ parts }) => parts.filter((part) => typeof part !== 'string'));
}
