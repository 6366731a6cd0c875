/**
 * The length in characters from which a text is treated as long: work per keystroke must not grow with it, and only its beginning
 * is shown.
 */
export const longText = 20_000;
/** The length of the beginning of a long question that is shown. */
const shownLength = 2_000;
/** The approximate length of the parts in which a long question is laid out: parts out of sight cost nothing. */
const partLength = 8_000;

const encoder = new TextEncoder();

/** Whether a text takes more than `bytes` bytes in UTF-8. The bytes are counted only if the text is near the limit. */
export function isLarger(text: string, bytes: number): boolean {
  if (text.length > bytes) return true;
  return text.length * 3 > bytes && bytesOf(text) > bytes;
}

/** Returns the size of a text in UTF-8 bytes. */
export function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

/** Returns the beginning of a long text, cut at a line break if one is near. */
export function beginningOf(text: string): string {
  return text.slice(0, cutNear(text, 0, shownLength));
}

/** Splits a long text into parts, at line breaks if possible. Joined, the parts equal the text. */
export function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = cutNear(text, at, partLength);
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}

/** Returns the end of a part that begins at `from`: after its last line break, otherwise between two characters. */
function cutNear(text: string, from: number, length: number): number {
  const end = from + length;
  if (end >= text.length) return text.length;
  const line = text.slice(from, end).lastIndexOf('\n');
  if (line > 0) return from + line + 1;
  const unit = text.charCodeAt(end - 1);
  return unit >= 0xd800 && unit < 0xdc00 ? end - 1 : end;
}
