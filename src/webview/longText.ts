/** From this length on a text gets no work of ours that grows with it for each key, and is shown from its beginning. */
export const longText = 20_000;
/** Of a long question, what is shown until the user asks for all of it. */
const shownLength = 2_000;
/** A long question is laid out in parts of about this length: those out of sight cost nothing. */
const partLength = 8_000;

const encoder = new TextEncoder();

/** Whether a text takes more than so many bytes of UTF-8. Only a text near the limit is counted. */
export function isLarger(text: string, bytes: number): boolean {
  if (text.length > bytes) return true;
  return text.length * 3 > bytes && encoder.encode(text).length > bytes;
}

/** The beginning of a long text, up to the end of a line where one is near. */
export function beginningOf(text: string): string {
  return text.slice(0, cutNear(text, 0, shownLength));
}

/** A long text in parts, at ends of lines where there are some; together they are the text. */
export function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = cutNear(text, at, partLength);
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}

/** Where a part ends that begins at `from`: behind its last line end, or else between two characters. */
function cutNear(text: string, from: number, length: number): number {
  const end = from + length;
  if (end >= text.length) return text.length;
  const line = text.slice(from, end).lastIndexOf('\n');
  if (line > 0) return from + line + 1;
  const unit = text.charCodeAt(end - 1);
  return unit >= 0xd800 && unit < 0xdc00 ? end - 1 : end;
}
