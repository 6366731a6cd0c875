import { mayHaveSecret } from './assigned.ts';
import { hasCommonData } from './commonWords.ts';
import type { FoundPassage } from './passages.ts';

/** A file that was added, and the functions that search it. */
interface Added {
  readonly text: string;
  /** The text without lines that many other files have. */
  readonly own: string;
  readonly isCredential: boolean;
  /** The values of the file that are looked up as a whole. */
  readonly values: readonly string[];
  find(text: string): Generator<null, readonly FoundPassage[]>;
  /** Returns the number of the text's grams that are public, and of those that are neither public nor of common words only. */
  grams(text: string): Generator<null, { readonly own: number; readonly open: number }>;
}

/**
 * The result of a search for a file in itself. `notEncoded`: it is found, but not encoded. `tooShort`: it has less text than
 * a run, or only common words, and no secret. `notFound`: it has more text, or may have a short secret, or has data of common
 * words.
 */
export type InItself = 'found' | 'notEncoded' | 'tooShort' | 'notFound';

/** A line with at least this many non-public grams must be found on its own. The shortest run has fewer. */
const minGrams = { credentials: 32, sources: 96 };

const lineEnds = /\r\n|\r|\n/;

const numbered = (text: string, line: (line: string, number: number) => string): string =>
  text
    .split(lineEnds)
    .map((one, index) => line(one, index + 1))
    .join('\n');

/** The forms in which the text of a file is likely to occur. */
const forms: readonly ((text: string) => string)[] = [
  (text) => numbered(text, (line, number) => `| ${number} | ${line} |`),
  (text) => numbered(text, (line, number) => `${number}: ${line}`),
  (text) => JSON.stringify({ content: text }),
];
const encodings = ['base64', 'hex'] as const;

/**
 * The length in UTF-16 units of the sample that is searched for in each form: a file is found if a part of it is found. Source
 * files have more text that is ignored, such as common words.
 */
const sampleLength = { credentials: 512, sources: 1_024 };
/** The minimum size in bytes of a text that is decoded. */
const minEncodedBytes = 18;

/** The separator of texts. The letter in it ends a run. */
const separator = '\n\u0416\n';

/**
 * Whether a search finds a file that was added: as a whole, a part of it in each form, each of its long lines, and each value
 * alone. In a file with public text only, there is nothing to find. Many texts are searched as one, because each search has a
 * fixed cost.
 */
export function* searchInItself(file: Added): Generator<null, InItself> {
  if (!file.isCredential && (yield* hasCommonData(file.own))) return 'notFound';
  const min = file.isCredential ? minGrams.credentials : minGrams.sources;
  const long = file.own.split(lineEnds).filter((line) => line.length >= minGrams.credentials);
  const texts = [file.text, ...long.reverse(), ...file.values];
  const found = yield* file.find(texts.join(separator));
  const missing = yield* notFound(texts, found);
  if (missing[0] === 0) {
    const { own, open } = yield* file.grams(file.own);
    // Text that is shorter than a gram is not public.
    if (own === 0 && (open > 0 || !/[\p{L}\d]/u.test(file.own))) return 'found';
    if (own >= min) return 'notFound';
    return file.isCredential && (yield* mayHaveSecret(file.text)) ? 'notFound' : 'tooShort';
  }
  for (const index of missing) {
    if (index > long.length) return 'notFound';
    const { own } = yield* file.grams(texts[index] ?? '');
    if (own >= min) return 'notFound';
  }
  return yield* inForms(file, sampleOf(file, found));
}

function* inForms(file: Added, sample: string): Generator<null, InItself> {
  const texts = [
    ...forms.map((form) => form(sample)),
    ...encodings.map((encoding) => Buffer.from(sample).toString(encoding)),
  ];
  const missing = yield* notFound(texts, yield* file.find(texts.join(separator)));
  if (missing.some((index) => index < forms.length)) return 'notFound';
  return missing.length === 0 || Buffer.byteLength(sample) < minEncodedBytes ? 'found' : 'notEncoded';
}

/** The text from the longest passage on: the text before it may be public. */
function sampleOf({ text, isCredential }: Added, found: readonly FoundPassage[]): string {
  const length = isCredential ? sampleLength.credentials : sampleLength.sources;
  let longest = { start: 0, end: 0 };
  for (const { start, end } of found) {
    if (start >= text.length) break;
    if (Math.min(end, text.length) - start > longest.end - longest.start) longest = { start, end };
  }
  const from = text.lastIndexOf('\n', longest.start) + 1;
  // A passage may begin late in a long line.
  const start = longest.start - from > length / 2 ? longest.start : from;
  return text.slice(start, start + length);
}

/** Returns the indexes of the texts without a passage. */
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
    start = end + separator.length;
  }
  return missing;
}
