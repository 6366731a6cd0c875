import { readdirSync, readFileSync } from 'node:fs';
import { type PlacedAnswer, placeAnswer } from '../../../src/edits/place.ts';
import { type AnswerBlock, type ReadAnswer, readAnswer } from '../../../src/edits/reading/answer.ts';
import { isCommands, isExample, isSameFile } from '../../../src/edits/reading/candidates.ts';
import { blocksForFiles } from '../../../src/edits/reading/forFiles.ts';

/** An answer, and the texts of files before and after it is applied, by path. Blocks without a name are for the first file. */
export interface Ordinary {
  readonly name: string;
  readonly languageId: string;
  readonly answer: string;
  readonly before: ReadonlyMap<string, string>;
  readonly meant: ReadonlyMap<string, string>;
}

const folders = new URL('../../fixtures/answers/', import.meta.url);

/**
 * Reads the cases of all files. `@@@ case name | language | path` begins one. In it, `@@@ file` and `@@@ also path` begin the texts
 * of files, `@@@ old` and `@@@ new` a text of the first file that is replaced, and `@@@ whole path` the whole new text of a file.
 * `@@@ same` stands for the first file of the case before.
 */
export function ordinaryCases(): readonly Ordinary[] {
  return casesIn('ordinary/');
}

/** Reads the cases whose answers look complete, but may be only a part, so that no text is meant. */
export function unclearCases(): readonly Ordinary[] {
  return casesIn('unclear/');
}

function casesIn(name: string): readonly Ordinary[] {
  const folder = new URL(name, folders);
  const texts = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'));
  return texts.flatMap((text) => {
    const cases: Ordinary[] = [];
    for (const each of text.split(/^@@@ case /m).slice(1)) cases.push(readCase(each, cases.at(-1)));
    return cases;
  });
}

function readCase(text: string, previous: Ordinary | undefined): Ordinary {
  const [head = '', ...parts] = `${text.trimEnd()}\n`.split(/^@@@ /m);
  const [name = '', languageId = '', path = ''] = head.trim().split(' | ');
  const [before, meant] = [new Map<string, string>(), new Map<string, string>()];
  let [answer, old] = ['', ''];
  for (const part of parts) {
    const end = part.indexOf('\n');
    const [kind = '', of = path] = part.slice(0, end).split(' ');
    const body = kind === 'same' ? (previous?.before.get(path) ?? '') : part.slice(end + 1);
    if (kind === 'answer') answer = body;
    else if (kind === 'old') old = body.trimEnd();
    else if (kind === 'whole') meant.set(of, body);
    else if (kind === 'new') meant.set(path, replaced(meant.get(path) ?? '', old, body.trimEnd()));
    else for (const map of [before, meant]) map.set(of, body);
  }
  return { name, languageId, answer, before, meant };
}

function replaced(text: string, old: string, by: string): string {
  if (text.split(old).length !== 2) throw new Error(`Not once in the file: ${old}`);
  return text.replace(old, () => by);
}

/** The files with each block of the answer, one after the other, or why one has no place: as the user clicks Apply to File. */
export function appliedOneByOne({ answer, languageId, before }: Ordinary): ReadonlyMap<string, string> | string {
  const read = readAnswer(answer);
  const isForFile = (block: AnswerBlock): boolean =>
    !isCommands(block) || isCommands({ language: languageId }) ? read.blocks.length === 1 || !isExample(block) : false;
  return applied({ languageId, before }, read, read.blocks.filter(isForFile));
}

/** The files with all blocks that name their file, or why one has no place; null if no block names one: Apply All Code. */
export function appliedTogether({ answer, languageId, before }: Ordinary): ReadonlyMap<string, string> | string | null {
  const read = readAnswer(answer);
  const { named } = blocksForFiles(read);
  return named.length === 0 ? null : applied({ languageId, before }, { ...read, imports: [] }, named);
}

function applied(
  { languageId, before }: Pick<Ordinary, 'languageId' | 'before'>,
  read: ReadAnswer,
  blocks: readonly AnswerBlock[],
): ReadonlyMap<string, string> | string {
  const texts = new Map(before);
  const [first = ''] = texts.keys();
  for (const { file: named, ...block } of blocks) {
    const path = named === undefined ? first : ([...texts.keys()].find((file) => isSameFile(named, file)) ?? named);
    const lines = (texts.get(path) ?? '').split('\n');
    const alone = { ...read, blocks: [block], others: [] };
    const places = [{ start: 0, end: lines.length, indent: '' }];
    const placed = placeAnswer(alone, { lines, languageId, file: path, mode: 'apply', places });
    if (placed.is !== 'edit' || placed.mayOmit !== undefined) return whyNot(placed, block);
    texts.set(path, placed.lines.join('\n'));
  }
  return texts;
}

function whyNot(placed: PlacedAnswer, { lines }: AnswerBlock): string {
  return `${placed.is === 'edit' ? 'asks' : placed.is}: ${lines[0]}`;
}
