/**
 * What code is written in, by Prism's names for tokens; each ink is a class of panel.css. Of a token's names the
 * first that is here counts, and of a token within others the last of these inks. One class, which a single rule of the
 * styles names, costs the page less than Prism's own do.
 */
const kindsOf = {
  'ink-comment': 'comment prolog doctype cdata',
  'ink-keyword': 'keyword boolean tag atrule important builtin null nil',
  'ink-string': 'string char attr-value regex url template-string',
  'ink-number': 'number constant symbol unit',
  'ink-function': 'function class-name decorator annotation title',
  'ink-variable': 'property attr-name variable parameter selector key',
  // As the text around them, and half of all tokens: an element for each would be for nothing.
  '': 'interpolation interpolation-punctuation punctuation operator',
  'ink-inserted': 'inserted inserted-sign',
  'ink-deleted': 'deleted deleted-sign',
};

const inks = Object.keys(kindsOf);
const inkOf = new Map(Object.values(kindsOf).flatMap((kinds, ink) => kinds.split(' ').map((kind) => [kind, ink])));
const fonts: ReadonlySet<string> = new Set(['bold', 'italic']);

/** A token as Prism has it. */
export type Stream =
  | string
  | { readonly type: string; readonly alias?: string | readonly string[]; readonly content: Stream }
  | readonly Stream[];

/** A run of code with one look: class names, or none. */
export interface Run {
  readonly look: string;
  readonly text: string;
}

/** Tokens, however deep, as runs in a row. */
export function runsOf(stream: Stream): readonly Run[] {
  const runs: { look: string; text: string }[] = [];
  collect(stream, -1, '', runs);
  return runs;
}

function collect(stream: Stream, ink: number, font: string, runs: { look: string; text: string }[]): void {
  if (typeof stream === 'string') {
    const name = inks[ink] ?? '';
    const look = font === '' ? name : `${name} ${font}`.trim();
    const last = runs.at(-1);
    if (last?.look === look) last.text += stream;
    else if (stream !== '') runs.push({ look, text: stream });
  } else if ('type' in stream) {
    const kinds = [stream.type, ...[stream.alias ?? []].flat()];
    const inner = Math.max(ink, kinds.map((kind) => inkOf.get(kind)).find((known) => known !== undefined) ?? -1);
    const own = kinds.find((kind) => fonts.has(kind));
    collect(stream.content, inner, own === undefined ? font : `ink-${own}`, runs);
  } else {
    for (const part of stream) collect(part, ink, font, runs);
  }
}
