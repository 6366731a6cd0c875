import { SecretIndex } from './secretIndex.ts';
import type { TargetSecret } from './targetSecrets.ts';

/** The maximum number of steps, some 0.1 s, for a document or an answer that was made to be slow. Later calls return null. */
const maxSteps = 3_000_000;

/** The lines of a document that contain secrets, by the text before each of them. */
export class SecretLines {
  /** The number of times that each line occurs. */
  readonly #counts = new Map<string, number>();
  readonly #byStart = new Map<string, Set<string>>();
  readonly #secrets: SecretIndex<TargetSecret>;
  #stepsLeft = maxSteps;

  /** Each of `secrets` is on one line. */
  constructor(lines: readonly string[], secrets: readonly TargetSecret[]) {
    this.#secrets = new SecretIndex(secrets, ({ text }) => text);
    for (const line of lines) {
      const count = this.#counts.get(line) ?? 0;
      this.#counts.set(line, count + 1);
      if (count === 0) this.#add(line);
    }
  }

  /**
   * Returns the line that consists of these parts, with a secret of the given rule (of any rule for '') between them, or null if
   * there is no such line, or more than one.
   */
  only(parts: readonly string[], rules: readonly string[]): { readonly line: string; readonly count: number } | null {
    let found: string | null = null;
    for (const line of this.#byStart.get(parts[0] ?? '') ?? []) {
      this.#stepsLeft -= 10;
      if (this.#stepsLeft < 0) return null;
      if (!this.#isSameBut(line, parts, rules)) continue;
      if (found !== null) return null;
      found = line;
    }
    // With more steps, another line might have fit, too.
    return found === null || this.#stepsLeft < 0 ? null : { line: found, count: this.#counts.get(found) ?? 0 };
  }

  #add(line: string): void {
    for (let at = 0; at < line.length; at += 1) {
      if (this.#secrets.at(line, at).length === 0) continue;
      this.#stepsLeft -= at;
      if (this.#stepsLeft < 0) return;
      const start = line.slice(0, at);
      const lines = this.#byStart.get(start) ?? new Set();
      this.#byStart.set(start, lines.add(line));
    }
  }

  #isSameBut(line: string, parts: readonly string[], rules: readonly string[]): boolean {
    /** The positions that the parts so far can end at. */
    let ends: ReadonlySet<number> = new Set([(parts[0] ?? '').length]);
    for (let part = 1; part < parts.length && ends.size > 0; part += 1) {
      const [next = '', rule = ''] = [parts[part], rules[part - 1]];
      const further = new Set<number>();
      for (const at of ends) {
        for (const secret of this.#secrets.at(line, at)) {
          this.#stepsLeft -= 10;
          if (this.#stepsLeft < 0) return false;
          const end = at + secret.text.length;
          const fits = rule === '' || rule === secret.rule;
          if (fits && line.startsWith(next, end)) further.add(end + next.length);
        }
      }
      ends = further;
    }
    return ends.has(line.length);
  }
}
