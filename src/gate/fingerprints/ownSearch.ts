import type { FoundPassage } from './passages.ts';

/** A file that was added, and how it is searched. */
interface Added {
  readonly text: string;
  /** The same without lines that many other files have. */
  readonly own: string;
  readonly isCredential: boolean;
  /** Its values that are looked up whole. */
  readonly values: readonly string[];
  find(text: string): Generator<null, readonly FoundPassage[]>;
  /** The number of its grams that are not public, and of all. */
  grams(text: string): Generator<null, { readonly own: number; readonly all: number }>;
}

/** A line with so many grams that are not public must be found by itself: more than the shortest run has. */
const fewestGrams = { credentials: 32, sources: 96 };

const lineEnds = /\r\n|\r|\n/;

/** How the text of a file is likely to come. */
const forms: readonly ((text: string, lines: readonly string[]) => string)[] = [
  (text) => text,
  (_, lines) => lines.map((line, index) => `| ${index + 1} | ${line} |`).join('\n'),
];

/** A letter that ends a run. */
const apart = '\n\u0416\n';

/**
 * Whether a search finds a file that was added: as a whole in each form, each of its long lines, and each value alone. A file
 * without any text of its own has nothing to find. All are searched as one text, because each search has a fixed cost.
 */
export function* isFoundInItself(file: Added): Generator<null, boolean> {
  const lines = file.text.split(lineEnds);
  const wholes = forms.map((form) => form(file.text, lines));
  const long = file.own
    .split(lineEnds)
    .filter((line) => line.length >= fewestGrams.credentials)
    .reverse();
  const texts = [...wholes, ...long, ...file.values];
  const missing = yield* notFound(texts, yield* file.find(texts.join(apart)));
  const isWhole = missing.every((index) => index >= wholes.length);
  if (!isWhole) {
    const { own, all } = yield* file.grams(file.own);
    // Text that is shorter than a gram is not public.
    return own === 0 && (all > 0 || !/[\p{L}\d]/u.test(file.own));
  }
  for (const index of missing) {
    if (index >= wholes.length + long.length) return false;
    const { own } = yield* file.grams(texts[index] ?? '');
    if (own >= (file.isCredential ? fewestGrams.credentials : fewestGrams.sources)) return false;
  }
  return true;
}

/** The indexes of the texts that no passage is in. */
function* notFound(texts: readonly string[], found: readonly FoundPassage[]): Generator<null, readonly number[]> {
  const missing: number[] = [];
  let [start, next, reach] = [0, 0, 0];
  for (const [index, text] of texts.entries()) {
    if (index % 1024 === 1023) yield null;
    const end = start + text.length;
    for (let one = found[next]; one !== undefined && one.start < end; one = found[next]) {
      reach = Math.max(reach, one.end);
      next += 1;
    }
    if (reach <= start) missing.push(index);
    start = end + apart.length;
  }
  return missing;
}
