/**
 * The colors of code, by Prism's names for tokens; each color is a class of panel.css. The first known name of a token determines
 * its color. Of nested tokens, the row that comes later in this table wins. One class with a single style rule costs the page less
 * than Prism's own classes.
 */
const kindsOf = {
  'ink-comment': 'comment prolog doctype cdata',
  'ink-keyword': 'keyword boolean tag atrule important builtin null nil',
  'ink-string': 'string char attr-value regex url template-string',
  'ink-number': 'number constant symbol unit',
  'ink-function': 'function class-name decorator annotation title',
  'ink-variable': 'property attr-name variable parameter selector key',
  // These look like the text around them and are half of all tokens: elements for them would be wasted.
  '': 'interpolation interpolation-punctuation punctuation operator',
  'ink-inserted': 'inserted inserted-sign',
  'ink-deleted': 'deleted deleted-sign',
};

const inks = Object.keys(kindsOf);
const inkOf = new Map(Object.values(kindsOf).flatMap((kinds, ink) => kinds.split(' ').map((kind) => [kind, ink])));
const fonts: ReadonlySet<string> = new Set(['bold', 'italic']);

/** A token as Prism returns it. */
type Stream =
  | string
  | { readonly type: string; readonly alias?: string | readonly string[]; readonly content: Stream }
  | readonly Stream[];

/** A run of code with one style: its class names, or an empty string. */
export interface Run {
  readonly className: string;
  readonly text: string;
}

/** Flattens nested tokens into a list of runs. */
export function runsOf(stream: Stream): readonly Run[] {
  const runs: { className: string; text: string }[] = [];
  collect(stream, -1, '', runs);
  return runs;
}

function collect(stream: Stream, ink: number, font: string, runs: { className: string; text: string }[]): void {
  if (typeof stream === 'string') {
    const name = inks[ink] ?? '';
    const className = font === '' ? name : `${name} ${font}`.trim();
    const last = runs.at(-1);
    if (last?.className === className) last.text += stream;
    else if (stream !== '') runs.push({ className, text: stream });
  } else if ('type' in stream) {
    const kinds = [stream.type, ...[stream.alias ?? []].flat()];
    const inner = Math.max(ink, kinds.map((kind) => inkOf.get(kind)).find((known) => known !== undefined) ?? -1);
    const own = kinds.find((kind) => fonts.has(kind));
    collect(stream.content, inner, own === undefined ? font : `ink-${own}`, runs);
  } else {
    for (const part of stream) collect(part, ink, font, runs);
  }
}
