import type { Hunk } from './hunks.ts';

type Lines = readonly string[];

/** Hunks, and the two texts that they are between. */
export interface Carried {
  readonly original: Lines;
  readonly proposed: Lines;
  readonly hunks: readonly Hunk[];
}

/** The maximum number of lines that are compared in one text: what a model proposes, and what a file has, may be anything. */
const maxSteps = 5_000_000;

/** The number of lines before and after a hunk that must be the same in the text that it is carried to. */
const around = 2;

/**
 * Carries hunks over to a text that has changed: each to the only place that has the lines that it replaces, with the lines around
 * them. Returns null if one of the hunks has no such place, or several, or if two would have the same lines.
 */
export function carryOver({ original, proposed, hunks }: Carried, current: Lines): Carried | null {
  const places = new Places(current);
  const placed: { readonly hunk: Hunk; readonly start: number }[] = [];
  for (const hunk of hunks) {
    const start = placeOf(hunk, original, places);
    if (start === -1) return null;
    placed.push({ hunk, start });
  }
  placed.sort((a, b) => a.start - b.start);
  const parts: Lines[] = [];
  const carried: Hunk[] = [];
  let end = 0;
  let length = 0;
  for (const { hunk, start } of placed) {
    if (start < end || carried.at(-1)?.start === start) return null;
    const between = current.slice(end, start);
    const lines = proposed.slice(hunk.proposedStart, hunk.proposedEnd);
    const proposedStart = length + between.length;
    length = proposedStart + lines.length;
    end = start + hunk.end - hunk.start;
    parts.push(between, lines);
    carried.push({ start, end, proposedStart, proposedEnd: length });
  }
  return { original: current, proposed: [...parts, current.slice(end)].flat(), hunks: carried };
}

/** Returns the first line of the only place of a hunk, or -1. */
function placeOf({ start, end }: Hunk, original: Lines, places: Places): number {
  const first = Math.max(0, start - around);
  const at = places.only(original.slice(first, end + around));
  return at === -1 ? -1 : at + start - first;
}

/** Finds lines in a text. */
class Places {
  readonly #lines: Lines;
  readonly #at = new Map<string, number[]>();
  #steps = 0;

  constructor(lines: Lines) {
    this.#lines = lines;
    for (const [index, line] of lines.entries()) {
      const known = this.#at.get(line);
      if (known === undefined) this.#at.set(line, [index]);
      else known.push(index);
    }
  }

  /** Returns where the lines begin, or -1 if they are not there exactly once. */
  only(wanted: Lines): number {
    let rarest = 0;
    let fewest: readonly number[] | undefined;
    for (const [index, line] of wanted.entries()) {
      const found = this.#at.get(line) ?? [];
      if (fewest !== undefined && found.length >= fewest.length) continue;
      [rarest, fewest] = [index, found];
    }
    const found = (fewest ?? []).filter((line) => this.#isAt(line - rarest, wanted));
    return found.length === 1 && this.#steps <= maxSteps ? (found[0] ?? 0) - rarest : -1;
  }

  #isAt(at: number, wanted: Lines): boolean {
    return wanted.every((line, index) => {
      this.#steps += 1;
      return this.#steps <= maxSteps && line === this.#lines[at + index];
    });
  }
}
