import { withoutThoughts } from '../../util/text/thoughts.ts';
import { whyCut } from '../../util/whyCut.ts';
import type { Finding, LostFinding } from '../findings/finding.ts';
import { createLocator } from '../findings/locate.ts';
import type { Rule } from '../rule.ts';
import { fieldsOf, type RawFinding, rawFindings } from './rawFindings.ts';
import { findingOf, isSameFile, maxAnswer, maxFindings, type ReadAnswer } from './readAnswer.ts';

/** A file of a request that contains several files. */
interface SentFile {
  /** The name above the text, unique in the request. */
  readonly name: string;
  readonly text: string;
}

interface FilesContext {
  /** The requested rules. */
  readonly rules: readonly Rule[];
  readonly files: readonly SentFile[];
  /** The service's reason for the end of the answer. */
  readonly finishReason: string | undefined;
  /** Whether the answer is still arriving, or was interrupted. */
  readonly isUnfinished?: boolean;
}

/** The part of an answer that is about one file. */
interface FileAnswer extends ReadAnswer {
  /** Whether the answer has a complete list of the file's findings. If not, the file must be sent again. */
  readonly isAnswered: boolean;
}

/**
 * The maximum number of searches for quotes. After that, the file names in the answer are trusted, so that reading takes
 * bounded time.
 */
const maxSearches = 300;
/** The minimum length of a quote that identifies a file, because shorter quotes could be found in any file. */
const minDistinctive = 6;

/**
 * Reads an answer about several files, in the order of the files. Only a complete list of findings under the name of a file
 * answers it: a truncated or broken list, a missing list, or a name that could mean two files does not. A finding belongs to
 * the file that its list names, unless only another file has the text that it quotes.
 */
export function readFiles(answer: string, context: FilesContext): readonly FileAnswer[] {
  const reader = new FilesReader(context);
  const isWhole = context.isUnfinished !== true && whyCut(context.finishReason) === null;
  if (answer.trim() !== '') reader.read(answer.slice(0, maxAnswer), isWhole && answer.length <= maxAnswer);
  return reader.files();
}

class FilesReader {
  readonly #context: FilesContext;
  readonly #answers: { isAnswered: boolean; count: number; findings: Map<string, Finding>; lost: LostFinding[] }[];
  readonly #locators: readonly ReturnType<typeof createLocator>[];
  #searches = 0;
  /** Findings that cannot be assigned to a file. */
  readonly #strays: LostFinding[] = [];

  constructor(context: FilesContext) {
    this.#context = context;
    this.#answers = context.files.map(() => ({ isAnswered: false, count: 0, findings: new Map(), lost: [] }));
    this.#locators = context.files.map(({ text }) => createLocator(text));
  }

  files(): readonly FileAnswer[] {
    // If a file has to be sent again, a stray finding may have been about that file.
    const strays = this.#answers.every(({ isAnswered }) => isAnswered) ? this.#strays : [];
    return this.#answers.map(({ isAnswered, count, findings, lost }, index) => ({
      isAnswered,
      findings: [...findings.values()],
      problems: count > maxFindings ? ['too-many'] : [],
      lost: index === 0 ? [...lost, ...strays] : lost,
    }));
  }

  read(answer: string, isWhole: boolean): void {
    const limit = (maxFindings + 1) * (this.#answers.length + 1);
    const { found, isCut } = rawFindings(withoutThoughts(answer).text, limit);
    const whole = found.filter(({ is }) => is === 'whole');
    for (const { fields } of whole) {
      const list = fields.get('findings');
      if (Array.isArray(list)) this.#list(fields.get('file'), list);
    }
    // Some answers name the file in each finding. Only in a complete answer is it certain that no finding is missing.
    if (!isWhole || isCut) return;
    for (const finding of whole) {
      const { fields } = finding;
      if (!fields.has('rule') || !fields.has('file') || fields.has('findings')) continue;
      const named = this.#named(fields.get('file'));
      this.#answered(named);
      this.#add(finding, named);
    }
  }

  #answered(index: number | undefined): void {
    const answer = this.#answers[index ?? -1];
    if (answer !== undefined) answer.isAnswered = true;
  }

  #list(file: unknown, list: readonly unknown[]): void {
    const named = this.#named(file);
    this.#answered(named);
    for (const value of list.slice(0, maxFindings + 1)) {
      const beginning = JSON.stringify(value)?.slice(0, 300) ?? '';
      this.#add({ fields: fieldsOf(value), is: 'whole', beginning }, named);
    }
  }

  /** Returns the index of the file with exactly this name, or else of the only file that the name can mean. */
  #named(name: unknown): number | undefined {
    if (typeof name !== 'string') return undefined;
    const { files } = this.#context;
    const exact = files.findIndex((file) => file.name === name || file.name.normalize() === name.normalize());
    if (exact !== -1) return exact;
    const [first, second] = files.flatMap((file, index) => (isSameFile(name, file.name) ? [index] : []));
    return second === undefined ? first : undefined;
  }

  /** Adds a finding. `named` is the index of the file whose list contains it. */
  #add(raw: RawFinding, named: number | undefined): void {
    const { files, rules } = this.#context;
    const index = raw.fields.has('file') ? this.#named(raw.fields.get('file')) : named;
    const name = index === undefined ? undefined : files[index]?.name;
    const fields = new Map(raw.fields);
    // Uses the name of the file in the request.
    if (name !== undefined) fields.set('file', name);
    const read = findingOf({ ...raw, fields }, { rules, names: name === undefined ? [] : [name] });
    const finding = name === undefined ? otherFile(read) : read;
    const quote = fields.get('quote');
    const answer = this.#answers[this.#placeOf(typeof quote === 'string' ? quote : '', index) ?? -1];
    if (answer === undefined) {
      if ('reason' in finding && this.#strays.length < maxFindings) this.#strays.push({ ...finding, line: null });
      return;
    }
    answer.count += 1;
    if (answer.count > maxFindings) return;
    if ('reason' in finding) answer.lost.push(finding);
    else answer.findings.set(JSON.stringify([finding.rule.id, finding.line, finding.quote]), finding);
  }

  /**
   * Returns the file that contains the quote: the named file if it does, or else the only other file that does; otherwise
   * the named file.
   */
  #placeOf(quote: string, named: number | undefined): number | undefined {
    if (this.#searches >= maxSearches) return named;
    if (quote.trim().length < minDistinctive || (named !== undefined && this.#isIn(quote, named, true))) return named;
    const [first, second] = this.#answers.flatMap((_, index) => (this.#isIn(quote, index, false) ? [index] : []));
    return second === undefined && first !== undefined ? first : named;
  }

  #isIn(quote: string, index: number, orItsFirstLine: boolean): boolean {
    this.#searches += 1;
    const kind = this.#locators[index]?.locate(quote, null).kind;
    return kind === 'first-line' ? orItsFirstLine : kind !== undefined && kind !== 'file' && kind !== 'line';
  }
}

function otherFile(finding: Finding | LostFinding): LostFinding {
  if ('reason' in finding) return finding;
  const { rule, line, message } = finding;
  return { reason: 'other-file', rule: rule.id, line, text: message.slice(0, 100) };
}
