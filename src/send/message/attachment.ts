import type { Covered, MadeText } from '../../gate/content.ts';
import type { SecretSpan } from '../../gate/secrets/span.ts';

/** Code attached to a question, as it was when it was attached. */
export interface Attachment {
  /** The name for display, for example `src/pay.ts:3-12`. */
  readonly label: string;
  /** The source: each request checks again whether it may be sent. */
  readonly uri: string;
  /** The line of the file at which `text` begins, counted from 1. */
  readonly firstLine: number;
  readonly languageId: string;
  readonly text: MadeText;
  /** Its workspace folder: the settings of that folder apply to every request that carries it. */
  readonly folder: string | null;
  /** The files that it contains, if more than one (a diff, a listing): restrictions on any of them apply to it. */
  readonly covers?: readonly Covered[];
  /**
   * The secrets that a scan of the whole source document found inside `text`. It is undefined if no document was scanned: then
   * `text` may be part of a secret that begins or ends elsewhere.
   */
  readonly marks?: readonly SecretSpan[];
  /** The real path of a file outside every workspace folder that the user agreed to attach. */
  readonly outside?: string;
  /** The rule, for display, that prevented reading: there is no text, and the request is refused. */
  readonly refused?: string;
}

/** The URI of text that came without a file. Equal URIs do not mean that two texts have the same source. */
export type NamelessUri = 'untitled:terminal' | 'untitled:reference' | 'untitled:tool';

export function isNameless({ uri }: Pick<Attachment, 'uri'>): boolean {
  const nameless: Readonly<Record<NamelessUri, true>> = {
    'untitled:terminal': true,
    'untitled:reference': true,
    'untitled:tool': true,
  };
  return Object.hasOwn(nameless, uri);
}

/**
 * The URI of the organization's instructions, which come from no folder: the settings of no folder apply because of them. No
 * document has it, because VS Code encodes angle brackets.
 */
export const organizationUri = 'untitled:<organization>';

export function isOfOrganization({ uri }: Pick<Attachment, 'uri'>): boolean {
  return uri === organizationUri;
}

/**
 * Whether its text may be part of a secret that begins or ends elsewhere. A tool's result may be,
 * although all of it was scanned: the tool may have read only some lines of a key.
 */
export function mayBeFragment(attachment: Pick<Attachment, 'uri' | 'marks'>): boolean {
  return attachment.marks === undefined || isNameless(attachment);
}

/** Whether its text has no file whose name could allow it: a document that was never saved has no file, either. */
export function isWithoutFile({ uri }: Pick<Attachment, 'uri'>): boolean {
  return uri.startsWith('untitled:');
}

/** Sources of attachments: the workspace folder of each file, or the file itself if it is outside of all folders. */
export function placesOf(attachments: readonly Pick<Attachment, 'uri' | 'folder' | 'covers'>[]): readonly string[] {
  const files = attachments.filter((one) => !isOfOrganization(one)).flatMap((one) => [one, ...(one.covers ?? [])]);
  return [...new Set(files.map(({ folder, uri }) => folder ?? uri))];
}
