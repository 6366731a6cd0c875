import { afterBlanks, type Loose, readLoose } from './looseJson.ts';

/** A finding as an answer has it, not checked. */
export interface RawFinding {
  /** By the names that the request asks for, whatever their case. */
  readonly fields: ReadonlyMap<string, unknown>;
  readonly is: Loose['is'];
  /** The beginning of its text in the answer. */
  readonly beginning: string;
}

interface RawFindings {
  readonly found: readonly RawFinding[];
  /** The answer has a list of findings, or a finding. Without one, it does not say that there are none. */
  readonly hasAnswer: boolean;
  /** The text ends inside a list or a finding. */
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
/** A list by its name, a list without one, or a finding outside of a list. */
const opening = new RegExp(`\\bfindings\\b${quotes}\\s*:\\s*\\[|\\[(?=\\s*${finding})|${finding}`, 'gi');
/** After a finding that cannot be read: the next one. */
const nextFinding = new RegExp(finding, 'gi');
/** An answer that ends before its list began. */
const begun = /^\s*(?:`{3,}\s*(?:json\s*)?)?\{\s*("[a-z]*)?("\s*(:\s*)?)?$/i;

/** Finds every finding of a text that may have other text around them, at most `limit`. Reads the text once. */
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
  return { found, hasAnswer, isCut: isCut || begun.test(text.slice(0, 200)) };
}

function search(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

/** Where a list ends whose last finding cannot be read. */
function endOfList(text: string, from: number): number {
  const end = text.indexOf(']', from);
  return end === -1 ? text.length : end;
}

/** The fields of an object by the names that the request asks for; none for anything else. */
export function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map();
  const fields = new Map<string, unknown>();
  for (const [name, field] of Object.entries(value)) {
    const plain = name.toLowerCase().replace(/[\s_-]/g, '');
    const key = Object.hasOwn(otherNames, plain) ? (otherNames[plain] ?? plain) : plain;
    // The requested name counts before another one for the same.
    if (key === plain || !fields.has(key)) fields.set(key, field);
  }
  return fields;
}
