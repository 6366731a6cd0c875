import { alsoMarked, type Content, sliceOf } from './content.ts';
import { keptSecrets } from './secrets/marks/keptSecrets.ts';
import type { SecretSpan } from './secrets/span.ts';

/** The number of consecutive characters of a key that are treated as part of it at any position. */
const piece = 8;
/** Matches runs of characters that keys consist of; a key has runs of at least 16 characters. */
const keyRuns = /[A-Za-z0-9+/=]{16,}/g;
const runs = /[A-Za-z0-9+/=]{8,}/g;

/**
 * A secret in one of several versions of a text is a secret in all of them: a scan does not recognize a key whose first
 * line is missing, but it is the same key. Marks a line that contains a secret in another version, and a key of several
 * lines even if it is indented, quoted or wrapped differently. Add all lines before querying.
 */
export class SharedSecrets {
  /** The lines with secrets, by the line without its indentation. */
  readonly #lines = new Map<string, Content>();
  /** The rules by the hash of a piece. */
  readonly #pieces = new Map<number, string>();

  add(content: Content, places: readonly (readonly [start: number, end: number])[]): void {
    let mark = 0;
    for (const [start, end] of places) {
      while ((content.marks[mark]?.end ?? Number.POSITIVE_INFINITY) <= start) mark += 1;
      if ((content.marks[mark]?.start ?? Number.POSITIVE_INFINITY) >= end) continue;
      const text = content.text.slice(start, end);
      const [key, from] = [text.trim(), start + indentOf(text)];
      const line = sliceOf(content, from, from + key.length);
      const before = this.#lines.get(key);
      this.#lines.set(key, before === undefined ? line : alsoMarked(before, line.marks));
    }
    for (const { rule, start, end } of content.marks) {
      const secret = content.text.slice(start, end);
      if (!secret.includes('\n')) continue;
      for (const [run] of secret.matchAll(keyRuns)) {
        for (let at = 0; at + piece <= run.length; at += 1) this.#pieces.set(hashOf(run, at), rule);
      }
    }
  }

  /** Returns the line with the marks that it has in any version. */
  marked(line: Content): Content {
    const same = this.#lines.size === 0 ? undefined : this.#lines.get(line.text.trim());
    const indent = indentOf(line.text);
    const marks = same?.marks.map((mark) => ({ ...mark, start: mark.start + indent, end: mark.end + indent })) ?? [];
    const all = [...marks, ...this.#piecesIn(line.text)];
    return all.length === 0 ? line : alsoMarked(line, all);
  }

  #piecesIn(line: string): readonly SecretSpan[] {
    if (this.#pieces.size === 0) return [];
    const found: SecretSpan[] = [];
    for (const { 0: run, index } of line.matchAll(runs)) {
      for (let at = 0; at + piece <= run.length; at += 1) {
        const rule = this.#pieces.get(hashOf(run, at));
        if (rule === undefined) continue;
        const [start, end] = [index + at, index + at + piece];
        const last = found.at(-1);
        if (last !== undefined && last.end >= start) found[found.length - 1] = { ...last, end };
        else found.push({ rule, start, end });
      }
    }
    return found;
  }
}

/**
 * Marks the secrets of both versions of a text wherever they occur in either. A scan of one version does not find a value
 * there if the name by which it was recognized is only in the other.
 */
export async function withSharedSecrets(before: Content, after: Content): Promise<readonly [Content, Content]> {
  const marked = async (content: Content): Promise<Content> => {
    const [first, second] = [await keptSecrets(before, content.text), await keptSecrets(after, content.text)];
    return alsoMarked(content, [...first, ...second]);
  };
  return [await marked(before), await marked(after)];
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The FNV-1a hash of a piece. A collision can mark too much, never too little. */
function hashOf(text: string, at: number): number {
  let hash = 0x811c9dc5;
  for (let index = at; index < at + piece; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}
