/** A part of a conversation that a request does not carry, so that the rest fits the model's context window. */
export interface LeftOut {
  /** The id of its turn. */
  readonly turn: string;
  /** The beginning of the turn's question. */
  readonly question: string;
  /** `turn` means the answer and everything that was sent with its question; the question itself is sent. */
  readonly kind: 'attachment' | 'result' | 'turn';
  /** The name of the attachment or of the tool; empty for a turn. */
  readonly label: string;
  /** The size in UTF-8. */
  readonly bytes: number;
}

/** The parts of a conversation that a request leaves out. */
export interface Shortened {
  /** Empty in a conversation that was stored: only the number of parts is kept. */
  readonly parts: readonly LeftOut[];
  readonly counts: Readonly<Record<LeftOut['kind'], number>>;
  /** The estimated tokens of the parts. */
  readonly tokens: number;
}

export function shortenedBy(parts: readonly LeftOut[], tokens: number): Shortened {
  const counts = { turn: 0, attachment: 0, result: 0 };
  for (const { kind } of parts) counts[kind] += 1;
  return { parts, counts, tokens };
}

/** Replaces an attachment. `isReplaced` means that a later message has a newer text of the same lines. */
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
