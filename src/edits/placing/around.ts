import type { Span } from '../../util/text/span.ts';
import { isBlank, isTelling, trimLines } from '../text/lines.ts';
import type { Code } from '../text/units.ts';

/** The code without the lines directly above and below the place that it repeats. */
export function withoutAround(
  code: Code,
  place: Span,
  own: Code,
): { readonly lines: readonly string[]; readonly isShown: boolean } {
  const text = (lines: readonly string[]): readonly string[] =>
    lines.map((line) => line.trim()).filter((line) => line !== '');
  const above = text(code.lines.slice(0, place.start));
  const below = text(code.lines.slice(place.end));
  const said = own.lines.flatMap((line, at) => (isBlank(line) ? [] : [{ text: line.trim(), at }]));
  const texts = said.map((each) => each.text);
  const head = overlap(above, texts);
  const tail = overlap(texts.slice(head), below);
  const start = head === 0 ? 0 : (said[head - 1]?.at ?? -1) + 1;
  let end = tail === 0 ? own.lines.length : (said[said.length - tail]?.at ?? own.lines.length);
  // What the repeated lines above opened, the last lines close.
  let at = said.length - tail - 1;
  for (let next = tail; head > 0 && at >= head && own.scan.after[said[at]?.at ?? 0] !== undefined; at -= 1) {
    const opened = own.scan.before[start] ?? 0;
    const isCloser = /^[)\]}]+[;,]?$/.test(texts[at] ?? '');
    if (
      !isCloser ||
      (own.scan.after[said[at]?.at ?? 0] ?? 0) >= opened ||
      !below.slice(0, next + 4).includes(texts[at] ?? '')
    )
      break;
    end = said[at]?.at ?? end;
    next += 1;
  }
  return { lines: trimLines(own.lines.slice(start, end)), isShown: head + tail > 0 };
}

/** How many of the last lines of one text are the first of the other: the most, with one that tells something. */
function overlap(one: readonly string[], other: readonly string[]): number {
  const telling = other.findIndex(isTelling);
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
  return telling !== -1 && length > telling ? length : 0;
}
