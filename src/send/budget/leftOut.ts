/** A part of a conversation that a request does not carry, so that the rest fits what the model reads. */
export interface LeftOut {
  /** The id of its turn. */
  readonly turn: string;
  /** The beginning of the turn's question. */
  readonly question: string;
  /** `turn`: the answer and everything that went with its question; the question itself is sent. */
  readonly kind: 'attachment' | 'result' | 'turn';
  /** The attachment's name, or the tool's; empty for a turn. */
  readonly label: string;
  /** Its size in UTF-8. */
  readonly bytes: number;
}

/** What a request carries instead of the whole conversation. */
export interface Shortened {
  /** Empty in a conversation that was stored: only their numbers are kept. */
  readonly parts: readonly LeftOut[];
  readonly counts: Readonly<Record<LeftOut['kind'], number>>;
  /** What the parts would have taken, estimated. */
  readonly tokens: number;
}

export function shortenedBy(parts: readonly LeftOut[], tokens: number): Shortened {
  const counts = { turn: 0, attachment: 0, result: 0 };
  for (const { kind } of parts) counts[kind] += 1;
  return { parts, counts, tokens };
}

/** Replaces an attachment. `isReplaced`: a later message has a newer text of the same lines. */
export function attachmentLeftOut(label: string, bytes: number, isReplaced: boolean): string {
  const hint = isReplaced ? 'A newer one follows.' : 'Say so if it is needed.';
  return `[left out to fit: ${label}, ${kilobytes(bytes)}. ${hint}]`;
}

/** Replaces the result of a tool. */
export function resultLeftOut(tool: string, bytes: number): string {
  return `[left out to fit: result of ${tool}, ${kilobytes(bytes)}. Call it again where it is needed.]`;
}

/** Precedes the first question of a request that does not carry all turns. */
export const earlierQuestions = "Earlier in this conversation. The user's questions, word for word:";

function kilobytes(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1024))} KB`;
}
