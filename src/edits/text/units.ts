import type { Span } from '../../util/text/span.ts';
import { afterDecorators, isAsideLine } from './asideLines.ts';
import { type Language, languageOf } from './language.ts';
import { isBlank } from './lines.ts';
import { type Inside, isStyles, nameOf } from './names.ts';
import { type Scan, scan } from './scan.ts';
import { clauseAt, endOfClause, endOfUnit } from './unitEnds.ts';

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
      const isClause = inside === 'top' && clauseAt(this, head) !== undefined;
      const after = isClause ? endOfClause(this, head, end) : endOfUnit(this, head, end);
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
    const clause = inside === 'top' ? clauseAt(this, head) : undefined;
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
