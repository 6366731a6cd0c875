import type { Message, ToolCall, ToolOffer } from '../client/chat.ts';
import type { AskedModel, ModelKey } from '../policy/requestOptions.ts';
import type { AuditAction } from '../protocol/audit/auditValues.ts';
import { type AsIs, treatmentAt } from './destination.ts';
import type { Form } from './form/form.ts';
import type { RequestLimit } from './form/requestLimit.ts';
import { type Attachment, placesOf } from './message/attachment.ts';
import type { Earlier } from './message/earlier.ts';

/** A message before it is checked what of it may leave. */
export interface OutgoingMessage {
  readonly role: Message['role'];
  /**
   * Precedes its parts: the rules for the model, and the project's instructions. Secrets in it are always masked, and
   * files that may not leave are omitted.
   */
  readonly lead?: readonly (string | Attachment)[];
  /** Follows the lead: what is sent instead of turns that are summarized. Becomes part of the lead in `fit()`. */
  readonly earlier?: Earlier;
  /** Joined by blank lines; an attachment is quoted with its name. */
  readonly parts: readonly (string | Attachment)[];
  /** How secrets in it are treated: masked, the user is asked, or sent unmasked if the user has chosen so. */
  readonly secrets: 'mask' | 'ask' | AsIs;
  /** The source of its text, if it is not the user: the reported place of a secret in it. */
  readonly label?: string;
  /** As in Message; examined and masked like the rest. */
  readonly toolCalls?: readonly ToolCall[];
  readonly toolCallId?: string;
  /** The turn of the conversation that it belongs to, and the step whose result it is: see `fits`. */
  readonly place?: { readonly turn: string; readonly step?: string };
}

/** A request before it is checked whether it may leave. */
export interface Outgoing {
  readonly action: AuditAction;
  readonly messages: readonly OutgoingMessage[];
  readonly modelKey: ModelKey;
  /** Used if the settings do not set one. */
  readonly temperature?: number;
  readonly offer?: ToolOffer;
  /** The same request without tools, if it can do without them: it is sent if the model accepts no tools. */
  readonly withoutTools?: () => Outgoing;
  /** What of it the service does not accept: set by dispatch. */
  readonly form?: Form;
  /** Shared by all requests of one press of Send. Absent: this one has a limit of its own. */
  readonly limit?: RequestLimit;
  /** The user asks again: what the service has refused before is sent once more. */
  readonly isAgain?: true;
  /** Maximum number of tokens, unless the settings set a lower one. */
  readonly maxTokens?: number;
  /** The origin of the earlier messages, if it is known: see `movedFrom` in confirmation.ts. */
  readonly cameFrom?: string;
  /** Parts of this conversation can be left out to fit what the model reads. Absent: it is sent as it is. */
  readonly fits?: {
    readonly conversation: string;
    /** The user has agreed to leave out whole turns, or cannot be asked. */
    readonly mayLeaveOutTurns: boolean;
  };
  /** A model instead of the setting's. */
  readonly askedModel?: AskedModel;
  /**
   * The sources of the messages' content: workspace folders, and documents outside of all of them (URIs). The settings
   * of every folder that contains one of these sources apply, and those of the attachments' sources.
   */
  readonly folders: readonly string[];
  /** The part of `folders` that is there because of the project's instructions. Only for the words of an error. */
  readonly project?: Project;
  /** The same for the attachments of a question, with neither them nor instructions. */
  readonly attached?: Project;
}

/** Files that go along with a request, and what its `folders` would be without them. */
export interface Project {
  readonly files: readonly Pick<Attachment, 'label' | 'uri' | 'folder' | 'covers'>[];
  readonly foldersWithout: readonly string[];
}

/** Adds the sources of all attachments to the folders of `outgoing`: the caller may have omitted some. */
export function withAllPlaces(outgoing: Outgoing): Outgoing {
  const files = outgoing.messages.flatMap(({ lead = [] }) => lead.filter((part) => typeof part !== 'string'));
  const others = attachmentsOf(outgoing).filter((attachment) => !files.includes(attachment));
  const foldersWithout = [...new Set([...outgoing.folders, ...placesOf(others)])];
  const folders = [...new Set([...foldersWithout, ...placesOf(files)])];
  return { ...outgoing, folders, ...(files.length === 0 ? {} : { project: { files, foldersWithout } }) };
}

/** What the user has decided about a request that was sent to a destination. */
export interface Decided {
  /** How secrets in its new message were treated. */
  readonly secrets: 'mask' | 'as-is';
  /** See destination.ts. */
  readonly destination: string;
  readonly origin: string;
}

/** Another request with the same messages: the user's choice about their secrets applies where the destination is the same. */
export function withChoice(outgoing: Outgoing, { secrets, destination, origin }: Decided): Outgoing {
  const chosen = secrets === 'as-is' ? ({ asIsFor: destination, otherwise: 'ask' } as const) : ('mask' as const);
  const messages = outgoing.messages.map((message) =>
    treatmentAt(message.secrets, destination) === 'ask' ? { ...message, secrets: chosen } : message,
  );
  // Where earlier messages came from another address, the user has agreed to this one.
  return { ...outgoing, messages, ...(outgoing.cameFrom === undefined ? {} : { cameFrom: origin }) };
}

export function attachmentsOf({ messages }: Outgoing): readonly Attachment[] {
  return messages.flatMap(({ lead = [], parts }) => [...lead, ...parts].filter((part) => typeof part !== 'string'));
}
