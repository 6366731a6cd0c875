import type { Place } from './place.ts';

interface Kept {
  readonly uri: string;
  readonly before: string;
  readonly after: string;
  readonly insertion: string;
}

/** So many completions are kept, in memory alone. */
const most = 30;

/** The last completions, found again while somebody types what they say, or comes back to the same place. */
export class RecentCompletions {
  #kept: readonly Kept[] = [];

  put(uri: string, { before, after }: Place, insertion: string): void {
    this.#kept = [{ uri, before, after, insertion }, ...this.#kept].slice(0, most);
  }

  /** What is still to come of a completion whose beginning has been typed; undefined where none is known. */
  find(uri: string, { before, after }: Place): string | undefined {
    for (const kept of this.#kept) {
      if (kept.uri !== uri || kept.after !== after) continue;
      const typed = typedSince(kept.before, before);
      if (typed !== null && kept.insertion.startsWith(typed) && (typed === '' || typed !== kept.insertion))
        return kept.insertion.slice(typed.length);
    }
    return undefined;
  }
}

/**
 * What `now` has after `then`; null where it does not go on from there. Both begin at the start of a line that moves
 * along as lines are added, so they are compared from where the later one begins.
 */
function typedSince(then: string, now: string): string | null {
  if (now.startsWith(then)) return now.slice(then.length);
  const firstLine = now.slice(0, now.indexOf('\n') + 1);
  const begins = firstLine === '' ? -1 : then.indexOf(firstLine);
  if (begins === -1) return null;
  const kept = then.slice(begins);
  return now.startsWith(kept) ? now.slice(kept.length) : null;
}
