const families: Readonly<Record<string, string>> = {
  typescriptreact: 'typescript',
  javascript: 'typescript',
  javascriptreact: 'typescript',
  kotlin: 'java',
  scala: 'java',
  groovy: 'java',
  swift: 'java',
  cpp: 'c',
};

/** The language with the same form of imports. */
export function familyOf(languageId: string): string {
  return families[languageId] ?? languageId;
}

/** The parts of an import statement. */
interface Import {
  /** The statement in a normalized form, for comparison. */
  readonly text: string;
  readonly from: string | null;
  /** The names in braces, or after `import`, or null if there are none. */
  readonly names: readonly string[] | null;
  /** The text before the names. */
  readonly lead: string;
}

export function parsed(statement: readonly string[], languageId: string): Import {
  const line = statement
    .map((each) => each.replace(languageId === 'python' ? /\s#.*$/ : /\s\/\/.*$/, ''))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/;$/, '')
    .slice(0, 4_000);
  const text = line
    .replace(/["']/g, '"')
    .replace(/([{(,]) /g, '$1')
    .replace(/,? ?([})])/g, '$1');
  if (languageId === 'python') {
    const [, from = null, names] = /^from (\S+) import \(?([^()]+)\)?$/.exec(line) ?? [];
    return { text: text.replace(/[()]/g, ''), from, names: names === undefined ? null : listed(names), lead: 'from' };
  }
  const [, lead = '', names, from = null] =
    /^import ((?:type )?(?:[\w$]+, ?)?)\{([^{}]*)\} from ["']([^"']+)["']$/.exec(line) ?? [];
  return { text, from, names: names === undefined ? null : listed(names), lead: lead.trim() };
}

function listed(names: string): readonly string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Adds names to the braces of an import, or to its end. */
export function withNames(statement: readonly string[], names: readonly string[]): readonly string[] {
  const last = statement.length - 1;
  const closing = statement.findLastIndex((line) => /[})]/.test(line));
  if (last > 0 && closing > 0 && /^\s*[})]/.test(statement[closing] ?? '')) {
    const before = statement[closing - 1] ?? '';
    const indent = /^\s*/.exec(before)?.[0] ?? '';
    const whole = /,\s*$/.test(before) ? before : `${before},`;
    const isTrailing = /,\s*$/.test(before);
    const more = names.map((name, index) => `${indent}${name}${isTrailing || index < names.length - 1 ? ',' : ''}`);
    return [...statement.slice(0, closing - 1), whole, ...more, ...statement.slice(closing)];
  }
  const line = statement[last] ?? '';
  const closed = line.search(/[})]/);
  const head = line.slice(0, Math.max(closed, 0)).trimEnd();
  const before = head.replace(/,$/, '');
  if (before === '') return [...statement.slice(0, last), `${line.trimEnd()}, ${names.join(', ')}`];
  return [...statement.slice(0, last), `${before.trimEnd()}, ${names.join(', ')}${line.slice(head.length)}`];
}
