import type { Code, Unit } from './units.ts';

/** Whether a line is a directive of a preprocessor. It may be unindented in indented code. */
export function isDirective(line: string): boolean {
  return /^\s*#(?:if|ifdef|ifndef|else|elif|endif|define|undef|region|endregion|pragma|include|error|warning|nullable|line)\b/.test(
    line,
  );
}

/**
 * Joins each part from `#if` to its `#endif` into one unit. A part that declares a name stays several units, because
 * its declarations are found by their names.
 */
export function joinConditional(code: Code, units: readonly Unit[]): readonly Unit[] {
  // If the number sign begins a comment, the language has no directives.
  if (code.blocks !== 'brackets' || code.language.comment.includes('#')) return units;
  const joined: Unit[] = [];
  const opened: number[] = [];
  for (const unit of units) {
    const line = code.lines[unit.head] ?? '';
    joined.push(unit);
    if (/^\s*#(?:if|ifdef|ifndef)\b/.test(line)) opened.push(joined.length - 1);
    if (!/^\s*#endif\b/.test(line)) continue;
    const from = opened.pop();
    const first = from === undefined ? undefined : joined[from];
    if (from === undefined || first === undefined || joined.slice(from).some(({ name }) => name !== undefined))
      continue;
    const inner = { start: unit.end, end: unit.end };
    joined.splice(from, joined.length, { ...first, end: unit.end, inner, holds: null });
  }
  return joined;
}
