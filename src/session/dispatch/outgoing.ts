import type { Message, ToolCall, ToolOffer } from '../../client/chat.ts';
import type { AskedModel, ModelKey } from '../../policy/requestOptions.ts';
import { type Attachment, placesOf } from '../conversation/attachment.ts';
import type { AuditAction } from './audit.ts';
import type { AsIs } from './destination.ts';

/** A message before it is checked what of it may leave. */
export interface OutgoingMessage {
  readonly role: Message['role'];
  /** Joined by blank lines; an attachment is quoted with its name. */
  readonly parts: readonly (string | Attachment)[];
  /** How secrets in it are treated: masked, the user is asked, or sent unmasked if the user has chosen so. */
  readonly secrets: 'mask' | 'ask' | AsIs;
  /** The source of its text, if it is not the user: the reported place of a secret in it. */
  readonly label?: string;
  /** As in Message; examined and masked like the rest. */
  readonly toolCalls?: readonly ToolCall[];
  readonly toolCallId?: string;
}

/** A request before it is checked whether it may leave. */
export interface Outgoing {
  readonly action: AuditAction;
  readonly messages: readonly OutgoingMessage[];
  readonly modelKey: ModelKey;
  /** Used if the settings do not set one. */
  readonly temperature?: number;
  readonly offer?: ToolOffer;
  /** Maximum number of tokens, unless the settings set a lower one. */
  readonly maxTokens?: number;
  /** The origin of the earlier messages, if it is known: see `movedFrom` in confirmation.ts. */
  readonly cameFrom?: string;
  /** A model instead of the setting's. */
  readonly askedModel?: AskedModel;
  /**
   * The sources of the messages' content: workspace folders, and documents outside of all of them (URIs). The settings
   * of every folder that contains one of these sources apply, and those of the attachments' sources.
   */
  readonly folders: readonly string[];
}

/** Adds the sources of all attachments to the folders of `outgoing`: the caller may have omitted some. */
export function withAllPlaces(outgoing: Outgoing): Outgoing {
  return { ...outgoing, folders: [...new Set([...outgoing.folders, ...placesOf(attachmentsOf(outgoing))])] };
}

export function attachmentsOf({ messages }: Outgoing): readonly Attachment[] {
  return messages.flatMap(({ parts }) => parts.filter((part) => typeof part !== 'string'));
}
