import type { Span } from '../../util/text/span.ts';
import { type Language, languageOf } from './language.ts';
import { indentOf, isBlank } from './lines.ts';
import { type Inside, isStyles, nameOf } from './names.ts';
import { type Scan, scan } from './scan.ts';

/** A declaration or a statement: its comments and decorators, its head, and everything that belongs to it. */
export interface Unit extends Span {
  /** The first line after comments and decorators. */
  readonly head: number;
  readonly name: string | undefined;
  /** The lines between its brackets, or below its head. */
  readonly inner: Span;
  /**
   * The kind of the declarations inside it: members of a class, keys of an object, tests of a group. It is null if there are no
   * declarations inside.
   */
  readonly holds: Inside | null;
}

/** Some code with the facts about its lines. */
export class Code {
  readonly lines: readonly string[];
  readonly languageId: string;
  readonly scan: Scan;
  /** Caches units, because each block of an answer requests the same units of the file. */
  readonly #known = new Map<string, readonly Unit[]>();

  constructor(lines: readonly string[], languageId: string) {
    this.lines = lines;
    this.languageId = languageId;
    this.scan = scan(lines, this.language);
  }

  get language(): Language {
    return languageOf(this.languageId);
  }

  get blocks(): Language['blocks'] {
    return this.language.blocks;
  }

  /** The units at the top level of some lines, in order. Each line that is not blank is in one of them. */
  units(span: Span = { start: 0, end: this.lines.length }, inside: Inside = 'top'): readonly Unit[] {
    const key = `${span.start}:${span.end}:${inside}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const units = this.#read(span, inside);
    this.#known.set(key, units);
    return units;
  }

  #read({ start, end }: Span, inside: Inside): readonly Unit[] {
    const units: Unit[] = [];
    for (let at = start; at < end; ) {
      if (isBlank(this.lines[at] ?? '')) {
        at += 1;
        continue;
      }
      const head = this.#headAt(at, end);
      const after = inside === 'top' && this.#isClause(head) ? this.#endOfClause(head, end) : this.#endOf(head, end);
      units.push(this.#unit({ start: at, end: after }, head, inside));
      at = after;
    }
    return units;
  }

  /** All units that are declared in some lines, at any depth, each with the units that enclose it. */
  *declared(
    span?: Span,
    inside: Inside = 'top',
    around: readonly Unit[] = [],
  ): Generator<{
    readonly unit: Unit;
    readonly around: readonly Unit[];
  }> {
    for (const unit of this.units(span, inside)) {
      yield { unit, around };
      if (unit.holds !== null && around.length < 20) yield* this.declared(unit.inner, unit.holds, [...around, unit]);
    }
  }

  #unit(span: Span, head: number, inside: Inside): Unit {
    const line = afterDecorators(this.lines[head] ?? '', this.languageId) ?? '';
    const clause = inside === 'top' && this.#isClause(head) ? clauseOf(line) : undefined;
    const inner = clause === undefined ? this.#innerOf(head, span.end) : { start: head + 1, end: span.end };
    const holds = inner.end > inner.start ? this.#holds(line, this.lines[inner.start - 1] ?? '') : null;
    const named =
      clause ??
      nameOf(line, this.languageId, inside) ??
      this.#nameOverLines(line, this.lines[inner.start - 1] ?? '', inside) ??
      this.#queryName(span.start, head);
    return { ...span, head, name: named, inner, holds };
  }

  /** The name of a function whose parameters are on separate lines: `load(`, and later `): void {`. */
  #nameOverLines(line: string, opening: string, inside: Inside): string | undefined {
    const isSplit = /^[^=]*\($/.test(line.trim()) && /^\s*\)[^=]*\{$/.test(opening.trimEnd());
    return isSplit ? nameOf(`${line.trim()}) {`, this.languageId, inside) : undefined;
  }

  /** The name of a query in SQL, which a comment above it gives: `-- name: find_patient`. */
  #queryName(start: number, head: number): string | undefined {
    if (this.languageId !== 'sql') return undefined;
    const asides = this.lines.slice(start, head).map((line) => /^\s*--\s*(?:name|query)\s*:\s*(\w+)/i.exec(line)?.[1]);
    const name = asides.find((each) => each !== undefined);
    return name === undefined ? undefined : `query ${name}`;
  }

  #holds(line: string, opening: string): Inside | null {
    const text = line.trim();
    // A multi-line string in YAML.
    if (/[|>][+-]?\d?$/.test(text) && this.blocks === 'indentation') return null;
    if (this.languageId === 'yaml' || this.languageId === 'dockercompose' || this.languageId.startsWith('json')) {
      return 'keys';
    }
    if (this.blocks === 'indentation') return /^class\b/.test(text) ? 'members' : null;
    if (isStyles(this.languageId)) return /^@(?:media|supports|layer|container)\b/.test(text) ? 'members' : null;
    if (this.blocks !== 'brackets') return null;
    if (/^(?:describe|suite|context)\b(?!\.(?!only|skip|each|concurrent|sequential|serial|parallel))/.test(text))
      return 'top';
    // These words are also names of parameters and variables.
    const outer = text.slice(0, 400).replace(/\((?:[^()]|\([^()]*\))*\)/g, '');
    if (
      /\b(?:namespace|mod(?:ule)?|class|interface|enum|struct|record|trait|impl|object|extension|protocol|actor)\b(?![.,:)?[\]]| ?=)/.test(
        outer,
      )
    )
      return 'members';
    return /=>\s*\{$|\)\s*\{$/.test(opening) ? null : /[=:(]\s*\{$/.test(opening.trimEnd()) ? 'keys' : null;
  }

  /** The line after the comments, decorators and attributes that begin at a line. */
  #headAt(start: number, end: number): number {
    const { before, after, inComment } = this.scan;
    let at = start;
    while (at < end - 1) {
      const line = this.lines[at] ?? '';
      if (isBlank(line)) {
        // A comment that is followed by a blank line is a unit by itself.
        return at - 1;
      }
      if (inComment[at] !== true && !isAsideLine(line, this.languageId)) break;
      const depth = before[at] ?? 0;
      at += 1;
      while (at < end - 1 && (after[at - 1] ?? 0) > depth) at += 1;
    }
    return at;
  }

  #endOf(head: number, end: number): number {
    switch (this.blocks) {
      case 'indentation':
        return this.#endByIndent(head, end);
      case 'statements':
        return this.#endOfStatement(head, end);
      case 'brackets':
        return this.#endByBrackets(head, end);
      case 'markup': {
        let at = head + 1;
        while (at < end && !isBlank(this.lines[at] ?? '')) at += 1;
        return at;
      }
    }
  }

  /** Whether a line begins a clause of a `switch`. */
  #isClause(line: number): boolean {
    return this.language.comment.includes('//') && clauseOf(this.lines[line] ?? '') !== undefined;
  }

  /** The end of a clause: before the comments of the next one. */
  #endOfClause(head: number, end: number): number {
    const { before, after } = this.scan;
    const base = before[head] ?? 0;
    let last = head + 1;
    for (let at = head + 1; at < end; at += 1) {
      const line = this.lines[at] ?? '';
      if (isBlank(line)) continue;
      const isOutside = (before[at] ?? 0) <= base && indentOf(line).length <= indentOf(this.lines[head] ?? '').length;
      if (isOutside || (after[at] ?? 0) < base) break;
      last = at + 1;
    }
    return last;
  }

  #endByIndent(head: number, end: number): number {
    const { before, inText } = this.scan;
    const headIndent = indentOf(this.lines[head] ?? '').length;
    // A mark for omitted items has no colon.
    const isItem = /^\s*- |^[^:]*$/.test(this.lines[head] ?? '');
    const isYaml = this.languageId !== 'python';
    let last = head;
    // A statement without a block ends with its line, regardless of the indentation of the next line.
    let isOpened = isYaml;
    for (let at = head + 1; at < end; at += 1) {
      const line = this.lines[at] ?? '';
      const isOpen = inText[at] === true || (!isYaml && (before[at] ?? 0) > (before[head] ?? 0));
      if (!isOpen && !isOpened) isOpened = /:\s*(?:#.*)?$|\\\s*$/.test(this.lines[at - 1] ?? '');
      if (!isOpen && isBlank(line)) continue;
      const isContinued =
        isOpen ||
        (isOpened && indentOf(line).length > headIndent) ||
        (isYaml && !isItem && indentOf(line).length === headIndent && /^\s*-(?: |$)/.test(line)) ||
        (!isYaml && indentOf(line).length === headIndent && /^\s*(?:else|elif|except|finally)\b|^\s*[)\]}]/.test(line));
      if (!isContinued) break;
      last = at;
    }
    return last + 1;
  }

  #endOfStatement(head: number, end: number): number {
    const { after, inText } = this.scan;
    const isRoutine = /^\s*create\b.*\b(?:procedure|trigger|function)\b/i.test(this.lines[head] ?? '');
    let isLong = false;
    for (let at = head; at < end; at += 1) {
      const line = this.lines[at] ?? '';
      if (/^\s*(?:begin|as\s+begin)\b(?!\s*(?:;|transaction|work))/i.test(line) && inText[at] !== true)
        isLong ||= isRoutine;
      const isInText = inText[at + 1] === true || (after[at] ?? 0) > (this.scan.before[head] ?? 0);
      if (isInText) continue;
      const text = line.replace(/--.*$/, '').trimEnd();
      if (
        isLong
          ? /^\s*end\b[^;]*;?\s*$/i.test(text) && indentOf(line).length <= indentOf(this.lines[head] ?? '').length
          : /;$/.test(text) || /^\s*go$/i.test(text)
      )
        return at + 1;
    }
    let last = end;
    while (last > head + 1 && isBlank(this.lines[last - 1] ?? '')) last -= 1;
    return last;
  }

  #endByBrackets(head: number, end: number): number {
    const { before, after, inText, inComment } = this.scan;
    let base = before[head] ?? 0;
    let at = head;
    for (; at < end - 1; at += 1) {
      const depth = after[at] ?? 0;
      if (depth > base || inText[at + 1] === true || inComment[at + 1] === true) continue;
      base = Math.min(base, depth);
      const line = this.lines[at] ?? '';
      const next = this.lines[at + 1] ?? '';
      if (isBlank(next) || isAsideLine(next, this.languageId)) break;
      const isOpenEnd = /(?:=>|[=+*&|?([{]|\bextends|\bimplements)\s*$/.test(line) && !/(?:\+\+|\*\/)\s*$/.test(line);
      // A rule of a style sheet may have several selectors.
      if (isStyles(this.languageId) && /,\s*$/.test(line)) continue;
      const isContinued =
        /^\s*(?:[.)\]}{?:&|=,]|else\b|catch\b|finally\b|throws\b|where\b|extends\b|implements\b)/.test(next) &&
        !/[;]\s*$/.test(line);
      // In Go, a line that can end a statement ends it.
      if (this.languageId === 'go' && /^\s*\{/.test(next) && !isOpenEnd) break;
      // A closing bracket that was not opened here belongs to the enclosing code.
      if (/^\s*[)\]}]/.test(next) && (after[at + 1] ?? 0) < base && !isOpenEnd) break;
      if (!isOpenEnd && !isContinued) break;
    }
    return at + 1;
  }

  #innerOf(head: number, end: number): Span {
    if (this.blocks === 'indentation') {
      const isList =
        /[([{]$/.test((this.lines[head] ?? '').trimEnd()) && /^\s*[)\]}]+,?\s*$/.test(this.lines[end - 1] ?? '');
      return isList ? { start: head + 1, end: end - 1 } : { start: Math.min(end, this.#afterHead(head, end)), end };
    }
    const { before, after } = this.scan;
    const base = before[head] ?? 0;
    const isClosed = (after[end - 1] ?? 0) <= base && /^\s*[)\]}]/.test(this.lines[end - 1] ?? '');
    if (!isClosed) return { start: end, end };
    // Takes the last of several brackets, because multi-line parameters come before the body.
    for (let at = end - 2; at >= head; at -= 1) {
      const depth = before[at] ?? 0;
      const closes = depth === base + 1 && /^\s*[)\]}]/.test(this.lines[at] ?? '');
      if ((after[at] ?? 0) > base && (depth <= base || closes)) return { start: at + 1, end: end - 1 };
    }
    return { start: end, end };
  }

  #afterHead(head: number, end: number): number {
    const { after, before } = this.scan;
    let at = head;
    if (this.languageId === 'python') while (at < end && (after[at] ?? 0) > (before[head] ?? 0)) at += 1;
    return at + 1;
  }
}

/** Returns the beginning of a clause of a `switch`, up to its colon, or undefined for any other line. */
function clauseOf(line: string): string | undefined {
  return /^\s*(case\s.{1,200}?|default\s*):(?=\s*(?:$|\{|return\b|break\b|throw\b|\/\/|\/\*|[\w.]+\(|[\w.]+ = ))/
    .exec(line)?.[1]
    ?.trim();
}

/** Whether a line is a comment, a decorator or an attribute, which belongs to the code after it. */
export function isAsideLine(line: string, languageId: string): boolean {
  return isCommentLine(line, languageId) || isDecorator(line, languageId);
}

export function isDecorator(line: string, languageId: string): boolean {
  const rest = afterDecorators(line, languageId);
  return rest === null || (rest === '' && !isBlank(line));
}

/** Returns the rest of a line after decorators or attributes, or null if one of them continues in the next line. */
export function afterDecorators(line: string, languageId: string): string | null {
  const mark = decoratorOf(languageId);
  let rest = line.trim();
  for (let remaining = 8; remaining > 0; remaining -= 1) {
    const found = mark?.exec(rest);
    if (found === null || found === undefined) return rest;
    const end = /[([]$/.test(found[0]) ? afterBracket(rest, found[0].length - 1) : found[0].length;
    if (end === null) return null;
    rest = rest.slice(end).trimStart();
  }
  return rest;
}

function decoratorOf(languageId: string): RegExp | null {
  if (languageId === 'csharp') return /^\[(?=(?:\w+: *)?[A-Z])/;
  if (languageId === 'rust' || languageId === 'php') return /^#!?\[/;
  if (/^(?:yaml|sql|css|scss|less|markdown|dockercompose|shellscript)$/.test(languageId)) return null;
  return /^@(?!interface\b)[A-Za-z][\w.]*(?: ?\()?/;
}

function afterBracket(text: string, open: number): number | null {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if ('([{'.includes(text[at] ?? '')) depth += 1;
    else if (')]}'.includes(text[at] ?? '')) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return null;
}

/** Whether a line contains only a comment, in the languages known here. */
export function isCommentLine(line: string, languageId: string): boolean {
  const { comment, texts } = languageOf(languageId);
  const text = line.trimStart();
  return (
    comment.some((mark) => text.startsWith(mark)) || (texts.some(([open]) => open === '/*') && text.startsWith('/*'))
  );
}
