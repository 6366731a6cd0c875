/** Where the user is typing: the surrounding text, as much of it as is sent. Lines end with \n. */
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

/** The place within the limits, cut at line ends; a line that is longer than a limit is cut at the limit. */
export function placeIn(before: string, after: string): Place {
  const start = before.replaceAll('\r\n', '\n');
  const end = after.replaceAll('\r\n', '\n');
  return { before: lastOf(start, charactersBefore), after: firstOf(end, charactersAfter) };
}

/**
 * What the editor has closed automatically after the place, such as `)` for a bracket just typed: it does not count as
 * written, and a completion that contains it replaces it. Empty if anything else follows on the line.
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

/** The line before the place, and the rest of it. */
export function lineAt({ before, after }: Place): { readonly typed: string; readonly rest: string } {
  return { typed: before.slice(before.lastIndexOf('\n') + 1), rest: after.split('\n', 1)[0] ?? '' };
}

function lastOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(-most);
  return cut.slice(cut.indexOf('\n') + 1);
}

function firstOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const end = cut.lastIndexOf('\n');
  return end === -1 ? cut : cut.slice(0, end + 1);
}
