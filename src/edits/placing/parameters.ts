import type { Code, Unit } from '../text/units.ts';

/**
 * Finds, among the functions with one name, the one with the same parameters as another function. Returns null if no
 * function or several have them. Each parameter list of the file is read once.
 */
export function createOverloadFinder(file: Code): (code: Code, unit: Unit, all: readonly Unit[]) => Unit | null {
  const known = new Map<string, readonly ReadonlyMap<string, Unit | null>[]>();
  return (code, unit, all) => {
    const wanted = parametersOf(code, unit);
    if (wanted === null || unit.name === undefined) return null;
    const maps = known.get(unit.name) ?? forms.map((form) => byParameters(file, all, form));
    known.set(unit.name, maps);
    for (const [index, form] of forms.entries()) {
      const found = maps[index]?.get(form(wanted));
      if (found !== undefined) return found;
    }
    return null;
  };
}

/**
 * Two functions are the same if their parameters are written alike, or else if they are alike without the parts that
 * edits often change.
 */
const forms = [(text: string): string => text, erased];

function byParameters(
  file: Code,
  all: readonly Unit[],
  form: (text: string) => string,
): ReadonlyMap<string, Unit | null> {
  const found = new Map<string, Unit | null>();
  for (const each of all) {
    const parameters = parametersOf(file, each);
    if (parameters !== null) found.set(form(parameters), found.has(form(parameters)) ? null : each);
  }
  return found;
}

/** The maximum number of characters of a parameter list that are compared. */
const maxLength = 2_000;

/** The text between the parentheses after the name of a function, without white space, or null if there are none. */
function parametersOf({ lines }: Code, { head, end, name = '' }: Unit): string | null {
  const text = lines
    .slice(head, Math.min(end, head + 30))
    .join(' ')
    .slice(0, maxLength);
  const plain = name.replace(/\(\)$/, '').split('.').at(-1) ?? '';
  const at = plain === '' ? -1 : text.indexOf(plain);
  const start = at === -1 ? -1 : text.indexOf('(', at + plain.length);
  if (start === -1) return null;
  let depth = 0;
  for (let to = start; to < text.length; to += 1) {
    const character = text[to];
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth === 0)
      return text
        .slice(start + 1, to)
        .replace(/\s+/g, ' ')
        .replace(/ ?([^\w$]) ?/g, '$1')
        .trim();
  }
  return null;
}

/** Removes what an edit of the same function often changes: type arguments, annotations, `final`, and default values. */
function erased(parameters: string): string {
  let text = '';
  let depth = 0;
  for (const character of parameters.replace(/@\w+(?:\([^()]*\))? ?|\bfinal /g, '')) {
    if (character === '<') depth += 1;
    if (depth === 0) text += character;
    if (character === '>' && depth > 0) {
      depth -= 1;
      text += ' ';
    }
  }
  return text
    .replace(/=[^,]*/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([^\w$]) ?/g, '$1')
    .trim();
}
