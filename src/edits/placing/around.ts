import type { Span } from '../../util/text/span.ts';
import { isBlank, isDistinctive, trimLines } from '../text/lines.ts';
import type { Code } from '../text/units.ts';

/** Removes the lines from the code that repeat the lines directly above and below the place. */
export function withoutAround(
  code: Code,
  place: Span,
  answerCode: Code,
): { readonly lines: readonly string[]; readonly isShown: boolean } {
  const text = (lines: readonly string[]): readonly string[] =>
    lines.map((line) => line.trim()).filter((line) => line !== '');
  const above = text(code.lines.slice(0, place.start));
  const below = text(code.lines.slice(place.end));
  const filledLines = answerCode.lines.flatMap((line, at) => (isBlank(line) ? [] : [{ text: line.trim(), at }]));
  const texts = filledLines.map((each) => each.text);
  const head = overlap(above, texts);
  const tail = overlap(texts.slice(head), below);
  const start = head === 0 ? 0 : (filledLines[head - 1]?.at ?? -1) + 1;
  let end =
    tail === 0 ? answerCode.lines.length : (filledLines[filledLines.length - tail]?.at ?? answerCode.lines.length);
  // The last lines close the brackets that the repeated lines above opened.
  let at = filledLines.length - tail - 1;
  for (
    let next = tail;
    head > 0 && at >= head && answerCode.scan.after[filledLines[at]?.at ?? 0] !== undefined;
    at -= 1
  ) {
    const opened = answerCode.scan.before[start] ?? 0;
    const isCloser = /^[)\]}]+[;,]?$/.test(texts[at] ?? '');
    if (
      !isCloser ||
      (answerCode.scan.after[filledLines[at]?.at ?? 0] ?? 0) >= opened ||
      !below.slice(0, next + 4).includes(texts[at] ?? '')
    )
      break;
    end = filledLines[at]?.at ?? end;
    next += 1;
  }
  return { lines: trimLines(answerCode.lines.slice(start, end)), isShown: head + tail > 0 };
}

/**
 * The maximum number of last lines of one text that are the first lines of the other, at least one of them distinctive;
 * 0 if there are none.
 */
function overlap(one: readonly string[], other: readonly string[]): number {
  const distinctive = other.findIndex(isDistinctive);
  const back = [0];
  for (let at = 1, length = 0; at < other.length; at += 1) {
    while (length > 0 && other[at] !== other[length]) length = back[length - 1] ?? 0;
    if (other[at] === other[length]) length += 1;
    back.push(length);
  }
  let length = 0;
  for (const line of one) {
    while (length > 0 && (length === other.length || line !== other[length])) length = back[length - 1] ?? 0;
    if (line === other[length]) length += 1;
  }
  return distinctive !== -1 && length > distinctive ? length : 0;
}
