import type { Code, Unit } from '../text/units.ts';

/** What a statement is: a name that it declares, else what it begins with. */
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

/** What identifies a statement that stays the same one when its values change: the target, or what is called. */
export function leadOf(code: Code, { head, name }: Unit): string {
  if (name !== undefined) return name;
  const text = (code.lines[head] ?? '').trim();
  const assigned = /^([\w$.[\]'"]+)\s*[-+*/|&?]*=(?!=)/.exec(text)?.[1];
  if (assigned !== undefined) return `${assigned} =`;
  return (
    /^(?:return|throw|break|continue|yield)\b/.exec(text)?.[0] ?? /^(?:await\s+)?[\w$.]+\(/.exec(text)?.[0] ?? text
  );
}

/** The text of a unit without its indentation: equal units are the same. */
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
 * The unit among others that is the same as one of an answer: with its name, else with its text, else with its first
 * line. Undefined where there is none, null where there are several.
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
  const texts = by((unit) => textOf(file, unit));
  // A directive begins many parts: only its whole text identifies one.
  const heads = by((unit) => (headOf(file, unit).startsWith('#') ? undefined : headOf(file, unit)));
  return (code, unit) => {
    const same = texts.get(textOf(code, unit)) ?? heads.get(headOf(code, unit));
    if (unit.name === undefined) return texts.get(textOf(code, unit)) ?? heads.get(headOf(code, unit));
    const named = names.get(unit.name);
    return named === null ? (same ?? null) : named;
  };
}
