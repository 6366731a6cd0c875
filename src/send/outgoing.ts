import type { Message, ToolCall, ToolOffer } from '../client/chat.ts';
import type { AskedModel, ModelKey } from '../policy/requestOptions.ts';
import type { AuditAction } from '../protocol/audit/auditValues.ts';
import { type AsIs, treatmentAt } from './destination.ts';
import type { Form } from './form/form.ts';
import type { RequestLimit } from './form/requestLimit.ts';
import { type Attachment, isOfOrganization, placesOf } from './message/attachment.ts';
import type { Earlier } from './message/earlier.ts';

/** A message before it is checked which parts of it may be sent. */
export interface OutgoingMessage {
  readonly role: Message['role'];
  /**
   * Precedes its parts: the rules for the model, and the project's instructions. Secrets in it are always masked, and
   * files that may not be sent are omitted.
   */
  readonly lead?: readonly (string | Attachment)[];
  /** The text that follows the lead and replaces turns that are summarized. Becomes part of the lead in `fit()`. */
  readonly earlier?: Earlier;
  /** Joined by blank lines; an attachment is quoted with its name. */
  readonly parts: readonly (string | Attachment)[];
  /** The treatment of its secrets: masked, the user is asked, or sent unmasked if the user has chosen so. */
  readonly secrets: 'mask' | 'ask' | AsIs;
  /** The source of its text, if it is not the user: the reported place of a secret in it. */
  readonly label?: string;
  /** The tool calls of a message, examined and masked like the rest. */
  readonly toolCalls?: readonly ToolCall[];
  readonly toolCallId?: string;
  /** The turn of the conversation that it belongs to, and the step whose result it is: see `fits`. */
  readonly place?: { readonly turn: string; readonly step?: string };
}

/** A request before it is checked whether it may be sent. */
export interface Outgoing {
  readonly action: AuditAction;
  readonly messages: readonly OutgoingMessage[];
  readonly modelKey: ModelKey;
  /** Used if the settings do not set one. */
  readonly temperature?: number;
  readonly offer?: ToolOffer;
  /** The same request without tools, if it can do without them: it is sent if the model accepts no tools. */
  readonly withoutTools?: () => Outgoing;
  /** The form that the service accepts: set by dispatch. */
  readonly form?: Form;
  /** The limit that all requests of one press of Send share. If undefined, this request has its own. */
  readonly limit?: RequestLimit;
  /** Whether the user retries: parts that the service has refused before are sent again. */
  readonly isAgain?: true;
  /** Maximum number of tokens, unless the settings set a lower one. */
  readonly maxTokens?: number;
  /** The origin of the earlier messages, if it is known: see `previousOrigin` in confirmation.ts. */
  readonly cameFrom?: string;
  /** Set if parts of this conversation can be left out to fit the model's context window. If undefined, it is sent as it is. */
  readonly fits?: {
    readonly conversation: string;
    /** Whether the user has agreed to leave out whole turns, or cannot be asked. */
    readonly mayLeaveOutTurns: boolean;
  };
  /** A model that replaces the one of the settings. */
  readonly askedModel?: AskedModel;
  /**
   * The sources of the messages' content: workspace folders, and documents outside of all of them (URIs). The settings
   * of every folder that contains one of these sources apply, and those of the attachments' sources.
   */
  readonly folders: readonly string[];
  /** The part of `folders` that is there because of the project's instructions. Only for the text of an error. */
  readonly project?: Project;
  /** Like `project`, for the attachments of a question; its `folders` are those without attachments and instructions. */
  readonly attached?: Project;
}

/** Files that are sent with a request, and the value of its `folders` without them. */
export interface Project {
  readonly files: readonly Pick<Attachment, 'label' | 'uri' | 'folder' | 'covers'>[];
  readonly foldersWithout: readonly string[];
}

/** Adds the sources of all attachments to the folders of `outgoing`: the caller may have omitted some. */
export function withAllPlaces(outgoing: Outgoing): Outgoing {
  const led = outgoing.messages.flatMap(({ lead = [] }) => lead.filter((part) => typeof part !== 'string'));
  const files = led.filter((file) => !isOfOrganization(file));
  const others = attachmentsOf(outgoing).filter((attachment) => !files.includes(attachment));
  const foldersWithout = [...new Set([...outgoing.folders, ...placesOf(others)])];
  const folders = [...new Set([...foldersWithout, ...placesOf(files)])];
  return { ...outgoing, folders, ...(files.length === 0 ? {} : { project: { files, foldersWithout } }) };
}

/** The user's decision about a request that was sent to a destination. */
export interface Decided {
  /** The treatment of the secrets in its new message. */
  readonly secrets: 'mask' | 'as-is';
  /** See destination.ts. */
  readonly destination: string;
  readonly origin: string;
}

/** Another request with the same messages: the user's choice about their secrets applies if the destination is the same. */
export function withChoice(outgoing: Outgoing, { secrets, destination, origin }: Decided): Outgoing {
  const chosen = secrets === 'as-is' ? ({ asIsFor: destination, otherwise: 'ask' } as const) : ('mask' as const);
  const messages = outgoing.messages.map((message) =>
    treatmentAt(message.secrets, destination) === 'ask' ? { ...message, secrets: chosen } : message,
  );
  // If earlier messages came from another address, the user has agreed to this one.
  return { ...outgoing, messages, ...(outgoing.cameFrom === undefined ? {} : { cameFrom: origin }) };
}

export function attachmentsOf({ messages }: Outgoing): readonly Attachment[] {
  return messages.flatMap(({ lead = [], parts }) => [...lead, ...parts].filter((part) => typeof part !== 'string'));
}
