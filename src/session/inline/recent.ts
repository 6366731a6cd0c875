import type { Completion } from './complete.ts';
import { linesAfter, type Place } from './place.ts';

interface Kept {
  readonly uri: string;
  readonly place: Place;
  readonly completion: Completion;
}

/** Number of completions that are kept, in memory only. */
const most = 30;

/** The last completions, found again while the user types their text, or returns to the same place. */
export class RecentCompletions {
  #kept: readonly Kept[] = [];

  put(uri: string, place: Place, completion: Completion): void {
    this.#kept = [{ uri, place, completion }, ...this.#kept].slice(0, most);
  }

  clear(): void {
    this.#kept = [];
  }

  /** The rest of a completion whose beginning has been typed; undefined if none is known. */
  find(uri: string, place: Place): Completion | undefined {
    for (const kept of this.#kept) {
      const { insertion } = kept.completion;
      const typed = typedOf(kept, uri, place);
      if (typed !== null && (typed === '' || typed !== insertion))
        return { ...kept.completion, insertion: insertion.slice(typed.length) };
    }
    return undefined;
  }

  /** How much of a completion the user has typed or accepted, in characters. */
  followed(uri: string, place: Place): number {
    return Math.max(0, ...this.#kept.map((kept) => typedOf(kept, uri, place)?.length ?? 0));
  }
}

/** What has been typed of this completion at this place; null if the place does not continue its place with its text. */
function typedOf({ uri, place, completion }: Kept, at: string, now: Place): string | null {
  const typed = uri === at ? typedSince(place, now) : null;
  return typed !== null && completion.insertion.startsWith(typed) ? typed : null;
}

/** What was typed at a place since then; null if anything else has changed around it. */
export function typedSince(then: Place, now: Place): string | null {
  return isSameAfter(then.after, now.after) ? addedTo(then.before, now.before) : null;
}

/** Only a window of a long document is known. It moves as lines are added. */
function isSameAfter(then: string, now: string): boolean {
  if (then === now) return true;
  const [short, long] = then.length < now.length ? [then, now] : [now, then];
  return long.startsWith(short) && short.split('\n').length > linesAfter / 2;
}

/**
 * What `now` adds to `then`; null if it does not continue it. Both begin at the start of a line that shifts as lines
 * are added, so the comparison starts where the later one begins.
 */
function addedTo(then: string, now: string): string | null {
  if (now.startsWith(then)) return now.slice(then.length);
  const firstLine = now.slice(0, now.indexOf('\n') + 1);
  const begins = firstLine === '' ? -1 : then.indexOf(firstLine);
  if (begins === -1) return null;
  const kept = then.slice(begins);
  return now.startsWith(kept) ? now.slice(kept.length) : null;
}
