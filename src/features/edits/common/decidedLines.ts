import { matchLines } from '../../../util/text/lineDiff.ts';
import type { FileChange } from './changeSet.ts';
import { type Hunk, hunksOf } from './hunks.ts';

type Lines = readonly string[];
type Span = Pick<Hunk, 'start' | 'end'>;

/** The hunks of a change by what the user has decided, as line numbers in the text that the file has now. */
export interface DecidedLines {
  readonly accepted: string;
  readonly rejected: string;
  readonly open: string;
}

/** The maximum number of hunks that are listed. */
const maxListed = 30;

export function decidedLines({ draft, rejected }: FileChange, now: Lines): DecidedLines {
  const { first, original } = draft;
  const written = hunksOf(first, original).map(({ proposedStart, proposedEnd }) => ({
    start: proposedStart,
    end: proposedEnd,
  }));
  const places = new Places(now);
  return {
    accepted: listed(places.of(written, original)),
    rejected: listed(rejected.flatMap((hunk) => places.of([hunk], hunk.lines))),
    open: listed(places.of(draft.hunks, original)),
  };
}

/** Finds lines of earlier texts in the text that a file has now. */
class Places {
  readonly #now: Lines;
  readonly #found = new Map<Lines, ReadonlyMap<number, number>>();

  constructor(now: Lines) {
    this.#now = now;
  }

  /** Returns the places of spans. A span whose lines are no longer there gives null. */
  of(spans: readonly Span[], lines: Lines): readonly (Span | null)[] {
    const found = this.#found.get(lines) ?? new Map(matchLines(lines, this.#now));
    this.#found.set(lines, found);
    return spans.map(({ start, end }) => {
      if (start === end) {
        const before = start === 0 ? -1 : found.get(start - 1);
        return before === undefined ? null : { start: before + 1, end: before + 1 };
      }
      const [from, to] = [found.get(start), found.get(end - 1)];
      return from === undefined || to === undefined ? null : { start: from, end: to + 1 };
    });
  }
}

function listed(places: readonly (Span | null)[]): string {
  const shown = [...new Set(places.slice(0, maxListed).map(placeWords))];
  return [...shown, ...(places.length > maxListed ? [`${places.length - maxListed} more`] : [])].join(', ');
}

function placeWords(place: Span | null): string {
  if (place === null) return 'lines that have changed since';
  const { start, end } = place;
  if (start === end) return `after line ${start}`;
  return end - start === 1 ? `line ${end}` : `lines ${start + 1}-${end}`;
}
