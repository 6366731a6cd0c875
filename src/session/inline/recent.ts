import type { Completion } from './complete.ts';
import { linesAfter, type Place } from './place.ts';

interface Kept {
  readonly uri: string;
  readonly place: Place;
  readonly completion: Completion;
}

/** The maximum number of completions that are kept, in memory only. */
const maxKept = 30;

/** The last completions, found again while the user types their text, or returns to the same place. */
export class RecentCompletions {
  #kept: readonly Kept[] = [];

  put(uri: string, place: Place, completion: Completion): void {
    this.#kept = [{ uri, place, completion }, ...this.#kept].slice(0, maxKept);
  }

  clear(): void {
    this.#kept = [];
  }

  /** Returns the rest of a completion whose beginning has been typed, or undefined if none is known. */
  find(uri: string, place: Place): Completion | undefined {
    for (const kept of this.#kept) {
      const { insertion } = kept.completion;
      const typed = typedOf(kept, uri, place);
      if (typed !== null && (typed === '' || typed !== insertion))
        return { ...kept.completion, insertion: insertion.slice(typed.length) };
    }
    return undefined;
  }

  /** The number of characters of a completion that the user has typed or accepted. */
  followed(uri: string, place: Place): number {
    return Math.max(0, ...this.#kept.map((kept) => typedOf(kept, uri, place)?.length ?? 0));
  }
}

/** Returns the part of this completion that has been typed, or null if the text at this place does not continue it. */
function typedOf({ uri, place, completion }: Kept, at: string, now: Place): string | null {
  const typed = uri === at ? typedSince(place, now) : null;
  return typed !== null && completion.insertion.startsWith(typed) ? typed : null;
}

/** Returns the text that was typed at a place since then, or null if anything else has changed around it. */
export function typedSince(then: Place, now: Place): string | null {
  return isSameAfter(then.after, now.after) ? addedTo(then.before, now.before) : null;
}

/**
 * Whether the text after the place is the same. Only a window of a long document is known, which moves as lines are
 * added.
 */
function isSameAfter(then: string, now: string): boolean {
  if (then === now) return true;
  const [short, long] = then.length < now.length ? [then, now] : [now, then];
  return long.startsWith(short) && short.split('\n').length > linesAfter / 2;
}

/**
 * Returns what `now` adds to `then`, or null if it does not continue it. Both begin at the start of a line that shifts
 * as lines are added, so the comparison starts where the later one begins.
 */
function addedTo(then: string, now: string): string | null {
  if (now.startsWith(then)) return now.slice(then.length);
  const firstLine = now.slice(0, now.indexOf('\n') + 1);
  const begins = firstLine === '' ? -1 : then.indexOf(firstLine);
  if (begins === -1) return null;
  const kept = then.slice(begins);
  return now.startsWith(kept) ? now.slice(kept.length) : null;
}
