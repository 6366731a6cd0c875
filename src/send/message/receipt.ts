import {
  type ComplianceField,
  type ComplianceRow,
  compliance,
  fieldOfHeader,
  isFlag,
} from '../../policy/compliance/compliance.ts';
import type { Verdict } from '../../protocol/posture.ts';
import type { AuditHeader } from '../audit.ts';

/** The service's report on a request in its answer's `security` object, and what was requested. Untrusted. */
export interface Receipt {
  /** The worst verdict of the headers; `not-confirmed` if the object mentions no header. */
  readonly verdict: Verdict;
  readonly headers: readonly ReceiptHeader[];
  /**
   * The object as JSON, one per line if an answer has several: at most 4 KB, without control characters and keys; empty
   * if the answer had none.
   */
  readonly text: string;
}

export interface ReceiptHeader {
  readonly name: string;
  readonly requested: string;
  /**
   * The statement of the object, or null if it has no statement; all statements if an answer contains different ones. At
   * most 100 characters.
   */
  readonly said: string | null;
  readonly verdict: Verdict;
}

const maxTextBytes = 4096;
const maxSaidCharacters = 100;
/** The interface document does not define the object's content: the fields may be nested this deep. */
const maxDepth = 4;
const maxNodes = 1000;

/** `security` is any JSON value of the answer, or undefined if the answer had no value. */
export function receiptOf(security: unknown, requested: readonly AuditHeader[]): Receipt {
  const found = valuesIn(security);
  const headers = requested.map(({ name, value }): ReceiptHeader => {
    const field = fieldOfHeader(name);
    const wanted = field === undefined ? [] : namesOf(field);
    const values = found.filter(([key]) => wanted.includes(key)).map(([, statement]) => statement);
    const verdicts = values.map((one) => (field === undefined ? 'not-confirmed' : verdictOn(field, value, one)));
    const worst = verdicts.length === 0 ? 'not-confirmed' : worstOf(verdicts);
    const shown = values[verdicts.indexOf(worst)];
    return { name, requested: value, said: shown === undefined ? null : shortened(shown), verdict: worst };
  });
  const verdict = headers.length === 0 ? 'not-confirmed' : worstOf(headers.map((header) => header.verdict));
  return { verdict, headers, text: security === undefined ? '' : textOf(security) };
}

export function worstOf(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('contradicted')) return 'contradicted';
  return verdicts.every((verdict) => verdict === 'confirmed') ? 'confirmed' : 'not-confirmed';
}

/** The names that a field may have in an object without a documented form. */
function namesOf(field: ComplianceField): readonly string[] {
  const { header, receiptNames }: ComplianceRow = compliance[field];
  return [nameOf(field), nameOf(header), ...receiptNames];
}

/** Removes case and punctuation. */
function nameOf(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** A statement of the service is confirmed if it is at least as strict as the request. */
function verdictOn(field: ComplianceField, requested: string, statement: unknown): Verdict {
  if (statement === null || (typeof statement === 'object' && !Array.isArray(statement))) return 'not-confirmed';
  const { values, combine, receiptWords = {} }: ComplianceRow = compliance[field];
  const wordOf = (value: unknown): string => {
    const word = String(value).trim().toLowerCase().replaceAll('_', '-');
    if (Object.hasOwn(receiptWords, word)) return receiptWords[word] ?? word;
    return word === 'enabled' || word === 'on' || word === 'yes' ? 'true' : word;
  };
  const isConfirmed = (): boolean => {
    if (isFlag(field)) return requested === 'false' || wordOf(statement) === 'true';
    switch (combine) {
      case 'strictest': {
        const rank = (word: string): number => (values as readonly unknown[]).indexOf(word);
        return rank(wordOf(statement)) >= rank(requested);
      }
      case 'union': {
        const listed = (Array.isArray(statement) ? statement : String(statement).split(',')).map(wordOf);
        return requested.split(',').every((wanted) => listed.includes(wanted));
      }
      case 'agree':
        return wordOf(statement) === requested;
    }
  };
  return isConfirmed() ? 'confirmed' : 'contradicted';
}

/** The named values of an object, breadth first. It may be hostile, so depth and number are bounded. */
function valuesIn(security: unknown): readonly (readonly [string, unknown])[] {
  const found: (readonly [string, unknown])[] = [];
  let floor: readonly unknown[] = [security];
  for (let depth = 0; depth < maxDepth && floor.length > 0; depth += 1) {
    const below: unknown[] = [];
    for (const node of floor) {
      if (typeof node !== 'object' || node === null || Array.isArray(node)) continue;
      for (const [key, value] of Object.entries(node)) {
        if (found.length >= maxNodes) return found;
        found.push([nameOf(key), value]);
        below.push(value);
      }
    }
    floor = below;
  }
  return found;
}

function textOf(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value) ?? '';
  } catch {
    // Too deeply nested to serialize, and so to display.
    return '';
  }
  return bounded(scrubbed(text.slice(0, maxTextBytes * 2)));
}

function shortened(value: unknown): string {
  const text = scrubbed(typeof value === 'string' ? value.slice(0, 1000) : textOf(value));
  return shortenedTo(text);
}

/** Cuts a text to the maximum length of a statement about one header. */
export function shortenedTo(text: string): string {
  return text.length > maxSaidCharacters ? `${text.slice(0, maxSaidCharacters - 1)}…` : text;
}

/** Removes control, bidirectional and invisible characters, and everything that looks like a key. */
function scrubbed(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, ' ').replace(/svc_ent_[\x21-\x7e]+|Bearer\s+\S+/g, '…');
}

/** Cuts a text to the maximum length of a receipt's text. */
export function bounded(text: string): string {
  const encoded = Buffer.from(text);
  if (encoded.length <= maxTextBytes) return text;
  // A character cut in half decodes to U+FFFD, which is removed.
  return `${encoded
    .subarray(0, maxTextBytes - 3)
    .toString()
    .replace(/\uFFFD+$/, '')}…`;
}
