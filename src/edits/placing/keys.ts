import { addTo } from '../../util/groups.ts';
import { isDirective } from '../text/directives.ts';
import type { Code, Unit } from '../text/units.ts';
import { createOverloadFinder } from './parameters.ts';

/** The kind of a statement: `declaration` if it declares a name, or else the word or form that it begins with. */
export function kindOf(code: Code, { head, name }: Unit): string {
  if (name !== undefined) return 'declaration';
  const text = (code.lines[head] ?? '').trim();
  const word =
    /^(?:}?\s*)(if|else|for|while|switch|case|default|try|return|throw|raise|break|continue|await|with|using|import|from|defer|go|select|yield|assert|pass|echo|set|grant|insert|update|delete)\b/i.exec(
      text,
    )?.[1];
  if (word !== undefined) return word.toLowerCase();
  if (/^[\w$.[\]'"]+\s*[-+*/|&?]*=(?!=)/.test(text)) return 'assignment';
  return /^[\w$.]+\(/.test(text) ? 'call' : 'other';
}

/**
 * The text that identifies a statement whose values may change: its target, or the way it leaves the body. Returns undefined for
 * a statement that a body may have twice, such as a call.
 */
export function leadOf(code: Code, unit: Unit): string | undefined {
  if (unit.name !== undefined) return unit.name;
  const text = headOf(code, unit);
  const taken = /^(?:export +)?(?:const|let|var) *\{[^{}]*\} *=(.+)$/.exec(text)?.[1];
  if (taken !== undefined) return `{} =${taken}`;
  const assigned = /^([\w$.[\]'"]+)\s*(?:\?\?)?=(?![=>])/.exec(text)?.[1];
  return assigned === undefined ? /^(?:return|throw|raise|break|continue)\b/.exec(text)?.[0] : `${assigned} =`;
}

const call = /^(?:(?:await|yield|go|defer)\s+)?[\w$.]+\(/;

/**
 * Whether the first line of a statement distinguishes it from others in a body: `if (paid) {` does, `try {` does not,
 * and a call only with its first argument. A statement that leaves the body occurs once in it.
 */
export function isDistinctiveHead(code: Code, unit: Unit): boolean {
  const text = headOf(code, unit);
  if (/^(?:return|throw|raise)\b/.test(text)) return true;
  if (call.test(text) && !/^(?:if|for|while|switch|with|using|catch)\b/.test(text)) {
    return /^[^(]*\(\s*(?:['"`]|[\w$.]+\s*,)/.test(text);
  }
  const rest = text.replace(
    /\b(?:try|do|else|finally|begin|loop|unsafe|async|await|for|while|switch|select|true|synchronized)\b/g,
    '',
  );
  return /[\p{L}\p{N}_]/u.test(rest);
}

/** The text of a unit without its indentation. Units with equal texts are the same. */
export function textOf({ lines }: Code, { head, end }: Unit): string {
  return lines
    .slice(head, end)
    .map((line) => line.trim())
    .join('\n');
}

export function headOf({ lines }: Code, { head }: Unit): string {
  return (lines[head] ?? '').trim();
}

/**
 * Returns a function that finds the one of these units that is the same as a unit of an answer: with the same name, or
 * else the same text, or else the same first line. It returns undefined if there is none, and null if there are
 * several.
 */
export function createFinder(file: Code, units: readonly Unit[]): (code: Code, unit: Unit) => Unit | undefined | null {
  const by = (key: (unit: Unit) => string | undefined): ReadonlyMap<string, Unit | null> => {
    const found = new Map<string, Unit | null>();
    for (const unit of units) {
      const one = key(unit);
      if (one !== undefined) found.set(one, found.has(one) ? null : unit);
    }
    return found;
  };
  const names = by(({ name }) => name);
  const sameName = new Map<string, Unit[]>();
  for (const unit of units) if (unit.name !== undefined) addTo(sameName, unit.name, unit);
  const overload = createOverloadFinder(file);
  const texts = by((unit) => textOf(file, unit));
  // A directive begins many parts, so only its whole text identifies one.
  const heads = by((unit) => (isDirective(headOf(file, unit)) ? undefined : headOf(file, unit)));
  const alike = (code: Code, unit: Unit): Unit | undefined | null => {
    const text = texts.get(textOf(code, unit));
    if (text !== undefined) return text;
    const head = heads.get(headOf(code, unit));
    // A one-line statement is not the same as a longer one with the same first line.
    return head !== undefined && head !== null && isOneLine(head) !== isOneLine(unit) ? null : head;
  };
  return (code, unit) => {
    if (unit.name === undefined) return alike(code, unit);
    const named = names.get(unit.name);
    return named === null ? (alike(code, unit) ?? overload(code, unit, sameName.get(unit.name) ?? [])) : named;
  };
}

function isOneLine({ head, end }: Unit): boolean {
  return end - head === 1;
}
