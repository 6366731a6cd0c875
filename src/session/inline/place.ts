/** Where somebody is typing: the text around it, as much of it as goes along. Lines end with \n. */
export interface Place {
  readonly before: string;
  readonly after: string;
}

/** Lines of the document that are looked at, before and after. */
export const linesBefore = 150;
export const linesAfter = 50;

/** Characters that go along, before and after: a model needs little, and everything typed goes over again. */
const charactersBefore = 6_000;
const charactersAfter = 2_000;

/** Marks the place in what is sent. */
export const cursorMark = '<|cursor|>';

/** The place in the caps, cut at line ends; a line too long for them is cut where they end. */
export function placeIn(before: string, after: string): Place {
  const start = before.replaceAll('\r\n', '\n');
  const end = after.replaceAll('\r\n', '\n');
  return { before: lastOf(start, charactersBefore), after: firstOf(end, charactersAfter) };
}

/**
 * What the editor has closed by itself behind the place, such as `)` for a bracket just typed: it does not count as
 * written, and a completion that says it too takes its place. Empty where anything else follows on the line.
 */
export function autoClosed(rest: string): string {
  return /^[)\]}>"'`]+[;,]?$/.test(rest) ? rest : '';
}

/** Does a text have these characters, in this order? Else it would not take their place. */
export function hasInOrder(text: string, characters: string): boolean {
  let at = 0;
  for (const character of text) if (character === characters[at]) at += 1;
  return at >= characters.length;
}

/** The line so far, and what follows on it. */
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
