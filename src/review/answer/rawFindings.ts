import { afterBlanks, type Loose, readLoose } from './looseJson.ts';

/** A finding as it is in the answer, not yet checked. */
export interface RawFinding {
  /** The values of the fields, by the names that the request asks for, whatever their case. */
  readonly fields: ReadonlyMap<string, unknown>;
  readonly is: Loose['is'];
  /** The beginning of the finding's text in the answer. */
  readonly beginning: string;
}

interface RawFindings {
  readonly found: readonly RawFinding[];
  /**
   * Whether the answer has a list of findings, or a finding. If it has neither, it does not state that there are no
   * findings.
   */
  readonly hasAnswer: boolean;
  /** Whether the text ends inside a list or a finding. */
  readonly isCut: boolean;
}

/** Names that models use instead of the requested ones. */
const otherNames: Readonly<Record<string, string>> = {
  ruleid: 'rule',
  id: 'rule',
  linenumber: 'line',
  startline: 'line',
  code: 'quote',
  snippet: 'quote',
  description: 'message',
  suggestion: 'fix',
  path: 'file',
  filename: 'file',
};

const quotes = '["\'`“”„‘’]?';
const names = '(?:rule|rule_?id|severity|line|quote|message|fix|file)';
const finding = `\\{\\s*${quotes}${names}${quotes}\\s*:`;
/** The start of a named list, of an unnamed list, or of a finding outside a list. */
const opening = new RegExp(`\\bfindings\\b${quotes}\\s*:\\s*\\[|\\[(?=\\s*${finding})|${finding}`, 'gi');
/** The start of the next finding, after a finding that cannot be read. */
const nextFinding = new RegExp(finding, 'gi');
/** An answer that ends before its list begins. */
const cutBeforeList = /^\s*(?:`{3,}\s*(?:json\s*)?)?\{\s*("[a-z]*)?("\s*(:\s*)?)?$/i;

/** Finds the findings in a text, at most `limit`, even with other text around them. Reads the text once. */
export function rawFindings(text: string, limit: number): RawFindings {
  const found: RawFinding[] = [];
  let hasAnswer = false;
  let isCut = false;
  let at = 0;
  const take = (start: number): void => {
    const { value, end, is } = readLoose(text, start);
    if (found.length < limit) found.push({ fields: fieldsOf(value), is, beginning: text.slice(start, start + 300) });
    at = Math.max(end, start + 1);
    isCut = is === 'cut';
    if (is === 'broken') at = search(nextFinding, text, at)?.index ?? endOfList(text, at);
  };
  for (let next = search(opening, text, 0); next !== null; next = search(opening, text, at)) {
    at = next.index;
    hasAnswer = true;
    if (next[0].startsWith('{')) {
      take(at);
      continue;
    }
    at += next[0].length;
    for (let isOpen = true; isOpen; ) {
      at = afterBlanks(text, at);
      isOpen = at < text.length && text[at] !== ']';
      if (isOpen) take(at);
    }
    const hasName = next[0].length > 1;
    isCut ||= at >= text.length || (hasName && afterBlanks(text, at + 1) >= text.length);
  }
  return { found, hasAnswer, isCut: isCut || cutBeforeList.test(text.slice(0, 200)) };
}

function search(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

/** Returns the end of a list whose last finding cannot be read. */
function endOfList(text: string, from: number): number {
  const end = text.indexOf(']', from);
  return end === -1 ? text.length : end;
}

/** Returns the fields of an object by the names that the request asks for, or an empty map if the value is not an object. */
export function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map();
  const fields = new Map<string, unknown>();
  for (const [name, field] of Object.entries(value)) {
    const plain = name.toLowerCase().replace(/[\s_-]/g, '');
    const key = Object.hasOwn(otherNames, plain) ? (otherNames[plain] ?? plain) : plain;
    // If a field occurs under both the requested name and an alternative name, the requested name takes precedence.
    if (key === plain || !fields.has(key)) fields.set(key, field);
  }
  return fields;
}
