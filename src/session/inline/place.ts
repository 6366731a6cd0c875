/** The place where the user is typing, with as much of the surrounding text as is sent. Lines end with \n. */
export interface Place {
  readonly before: string;
  readonly after: string;
}

/** Number of lines of the document that are read, before and after. */
export const linesBefore = 150;
export const linesAfter = 50;

/** Number of characters that are sent, before and after: a model needs little, and every keystroke sends them again. */
const charactersBefore = 6_000;
const charactersAfter = 2_000;

/** Marks the place in the text that is sent. */
export const cursorMark = '<|cursor|>';

/** The place within the limits, cut at line breaks; a line that is longer than a limit is cut at the limit. */
export function placeIn(before: string, after: string): Place {
  const start = before.replaceAll('\r\n', '\n');
  const end = after.replaceAll('\r\n', '\n');
  return { before: lastOf(start, charactersBefore), after: firstOf(end, charactersAfter) };
}

/**
 * The characters that the editor has inserted automatically after the place, such as `)` for a bracket just typed: they are not
 * treated as typed text, and a completion that contains them replaces them. Returns an empty string if anything else follows on
 * the line.
 */
export function autoClosed(rest: string): string {
  return /^[)\]}>"'`]+[;,]?$/.test(rest) ? rest : '';
}

/** Whether a text contains these characters in this order. Otherwise it cannot replace them. */
export function hasInOrder(text: string, characters: string): boolean {
  let at = 0;
  for (const character of text) if (character === characters[at]) at += 1;
  return at >= characters.length;
}

/** The text of the line before the place, and the text after it. */
export function lineAt({ before, after }: Place): { readonly typed: string; readonly rest: string } {
  return { typed: before.slice(before.lastIndexOf('\n') + 1), rest: after.split('\n', 1)[0] ?? '' };
}

function lastOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(-max);
  return cut.slice(cut.indexOf('\n') + 1);
}

function firstOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max);
  const end = cut.lastIndexOf('\n');
  return end === -1 ? cut : cut.slice(0, end + 1);
}
