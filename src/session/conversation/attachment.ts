import type { Covered, MadeText } from '../../gate/content.ts';
import type { SecretSpan } from '../../gate/secrets/span.ts';

/** Code that goes along with a question, as it was when it was attached. */
export interface Attachment {
  /** What a person sees: `src/pay.ts:3-12`. */
  readonly label: string;
  /** Where it comes from: whether it may leave is asked again with each request. */
  readonly uri: string;
  /** Of the file, where `text` begins; counted from 1. */
  readonly firstLine: number;
  readonly languageId: string;
  readonly text: MadeText;
  /** The workspace folder it comes from: that folder's settings hold for every request that carries it. */
  readonly folder: string | null;
  /** The files it tells of, where it is more than one (a diff, a listing): what holds for each of them holds for it. */
  readonly covers?: readonly Covered[];
  /**
   * The secrets that were found in the whole document `text` was cut from, as far as they are in `text`. Absent where no
   * document was looked at: then `text` may be part of a secret whose beginning or end is elsewhere.
   */
  readonly marks?: readonly SecretSpan[];
  /** The real path of what lies outside every workspace folder and the user agreed to attach. */
  readonly outside?: string;
  /** The rule, in words, that kept it from being read: there is no text, and the request is refused. */
  readonly refused?: string;
}

/** Where attachments come from: the workspace folder of each file they tell of, or the file itself outside of all. */
export function placesOf(attachments: readonly Pick<Attachment, 'uri' | 'folder' | 'covers'>[]): readonly string[] {
  const files = attachments.flatMap((one) => [one, ...(one.covers ?? [])]);
  return [...new Set(files.map(({ folder, uri }) => folder ?? uri))];
}
