/** The model's reasoning before its answer. Kept only in memory: neither stored, exported, copied, nor sent again. */
export interface Thinking {
  readonly text: string;
  /** The duration of the thinking in milliseconds, without the time since `since`. */
  readonly ms: number;
  /** The time at which the thinking that is still arriving began (epoch, milliseconds). */
  readonly since?: number;
  /** Whether the end did not fit and was dropped. */
  readonly isCut?: true;
}

/** The maximum size in bytes of UTF-8 of the thinking of a turn that is kept. */
export const maxThinkingBytes = 64 * 1024;

/** Adds a piece to the thinking of a turn. After the first text of an answer (`isLate`), its time is no longer added. */
export function thinkingWith(before: Thinking | undefined, piece: string, isLate: boolean): Thinking {
  const { text, ms, since, isCut }: Thinking = before ?? { text: '', ms: 0 };
  const begins = since === undefined && !isLate;
  const whole = begins && text !== '' ? `\n\n${piece}` : piece;
  const added = isCut ? '' : fitting(whole, text);
  return {
    text: text + added,
    ms,
    ...(begins ? { since: Date.now() } : since === undefined ? {} : { since }),
    ...(isCut || added.length < whole.length ? { isCut: true } : {}),
  };
}

/** Ends the thinking: text follows, a call, or the end of the answer. */
export function thinkingOver(thinking: Thinking): Thinking {
  const { since, ms, ...kept } = thinking;
  return since === undefined ? thinking : { ...kept, ms: ms + Math.max(0, Date.now() - since) };
}

/** The beginning of a piece that fits after the text, without half a character at its end. */
function fitting(piece: string, text: string): string {
  const room = maxThinkingBytes - Buffer.byteLength(text);
  if (Buffer.byteLength(piece) <= room) return piece;
  const bytes = Buffer.from(piece);
  let end = Math.max(0, room);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
