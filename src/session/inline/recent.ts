import type { Completion } from './complete.ts';
import type { Place } from './place.ts';

interface Kept {
  readonly uri: string;
  readonly before: string;
  readonly after: string;
  readonly completion: Completion;
}

/** Number of completions that are kept, in memory only. */
const most = 30;

/** The last completions, found again while the user types their text, or returns to the same place. */
export class RecentCompletions {
  #kept: readonly Kept[] = [];

  put(uri: string, { before, after }: Place, completion: Completion): void {
    this.#kept = [{ uri, before, after, completion }, ...this.#kept].slice(0, most);
  }

  /** The rest of a completion whose beginning has been typed; undefined if none is known. */
  find(uri: string, { before, after }: Place): Completion | undefined {
    for (const kept of this.#kept) {
      if (kept.uri !== uri || kept.after !== after) continue;
      const { insertion } = kept.completion;
      const typed = typedSince(kept.before, before);
      if (typed !== null && insertion.startsWith(typed) && (typed === '' || typed !== insertion))
        return { ...kept.completion, insertion: insertion.slice(typed.length) };
    }
    return undefined;
  }
}

/**
 * What `now` adds to `then`; null if it does not continue it. Both begin at the start of a line that shifts as lines
 * are added, so the comparison starts where the later one begins.
 */
function typedSince(then: string, now: string): string | null {
  if (now.startsWith(then)) return now.slice(then.length);
  const firstLine = now.slice(0, now.indexOf('\n') + 1);
  const begins = firstLine === '' ? -1 : then.indexOf(firstLine);
  if (begins === -1) return null;
  const kept = then.slice(begins);
  return now.startsWith(kept) ? now.slice(kept.length) : null;
}
