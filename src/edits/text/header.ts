import { isBlank } from './lines.ts';

/** Patterns of a comment about the whole file: its owner, its licence, its purpose, or that it is generated. */
const aboutFile =
  /^[^\w\n]*copyright\b|©|\(c\) ?\d{4}|\bSPDX-|\blicen[cs]ed (?:under|to)\b|@licen[cs]e\b|@file(?:overview)?\b|@packageDocumentation\b|\ball rights reserved\b|\bgoverned by (?:a|the)\b|\b(?:apache|mit|bsd|isc|public) licen[cs]e\b|\bthis file is part of\b|\bdo not (?:edit|modify)\b/im;

/** The line after the comments at the beginning that are about the whole file; 0 if there are none. */
export function headerEnd(lines: readonly string[]): number {
  let end = 0;
  for (let at = 0; at < lines.length; ) {
    if (isBlank(lines[at] ?? '')) {
      at += 1;
      continue;
    }
    const next = commentEnd(lines, at);
    if (next === at) break;
    const text = lines.slice(at, next).join('\n');
    if (aboutFile.test(text)) end = next;
    else if (at === 0 && text.startsWith('#!')) end = /^#.*\bcoding[:=]/.test(lines[1] ?? '') ? 2 : 1;
    at = next;
  }
  return end;
}

/**
 * Returns the line after a comment that begins at a line: a block comment, or lines of one kind. Returns the line
 * itself if no comment begins there.
 */
function commentEnd(lines: readonly string[], start: number): number {
  const [, block, mark] = /^\s*(?:(\/\*|<!--)|(\/\/|#|--|;))/.exec(lines[start] ?? '') ?? [];
  if (block !== undefined) {
    const close = block === '/*' ? '*/' : '-->';
    let last = start;
    while (last < lines.length && lines[last]?.includes(close) !== true) last += 1;
    return last === lines.length ? start : last + 1;
  }
  let at = start;
  if (mark !== undefined) while (lines[at]?.trimStart().startsWith(mark) === true) at += 1;
  return at;
}
