/** From this length on, no work on a text per keystroke may grow with it, and only its beginning is shown. */
export const longText = 20_000;
/** Length of the shown beginning of a long question. */
const shownLength = 2_000;
/** A long question is laid out in parts of about this length: those out of sight cost nothing. */
const partLength = 8_000;

const encoder = new TextEncoder();

/** Whether a text takes more than this number of UTF-8 bytes. Only a text near the limit is counted. */
export function isLarger(text: string, bytes: number): boolean {
  if (text.length > bytes) return true;
  return text.length * 3 > bytes && bytesOf(text) > bytes;
}

/** The size of a text in UTF-8. */
export function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

/** The beginning of a long text, cut at a line end if one is near. */
export function beginningOf(text: string): string {
  return text.slice(0, cutNear(text, 0, shownLength));
}

/** A long text in parts, cut at line ends if possible; joined they equal the text. */
export function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = cutNear(text, at, partLength);
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}

/** The end of a part that begins at `from`: after its last line end, otherwise between two characters. */
function cutNear(text: string, from: number, length: number): number {
  const end = from + length;
  if (end >= text.length) return text.length;
  const line = text.slice(from, end).lastIndexOf('\n');
  if (line > 0) return from + line + 1;
  const unit = text.charCodeAt(end - 1);
  return unit >= 0xd800 && unit < 0xdc00 ? end - 1 : end;
}
