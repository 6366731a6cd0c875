/** The reasons for breaks. Each means that the files differ from the signed ones, or that two histories were signed. */
export const breakReasons = [
  'not-a-record',
  'altered',
  'gap',
  'cut',
  'out-of-order',
  'root',
  'missing',
  'not-in-ledger',
  'signature',
  'unknown-key',
  'rollback',
  'fork',
  'unanchored',
  'not-a-note',
  'no-record',
  'other-code',
  'other-line',
] as const;

/** The reasons for notes, which are not breaks. */
const noteReasons = [
  'unsigned',
  'not-vouched',
  'half-line',
  'superseded',
  'clock-back',
  'not-cosigned',
  'not-compared',
  'late',
  'skipped',
  'left-over',
  'other-log',
  'no-commit',
  'no-request',
  'copied',
] as const;

export type BreakReason = (typeof breakReasons)[number];
export type NoteReason = (typeof noteReasons)[number];

/** A line of a file. */
export interface Place {
  /** The path below the given folder, or the name of a session or ledger if it has no files any more. */
  readonly file: string;
  /** The line, counted from 1; 0 for a whole file. */
  readonly line: number;
}

interface Finding<Reason extends string = string> extends Place {
  readonly reason: Reason;
  /** The session, ledger or file, with the numbers of its lines if they are known: `<session> 3-5`. */
  readonly of: string;
  /** The place that contradicts the finding. */
  readonly other?: Place;
}

export type Break = Finding<BreakReason>;
export type Note = Finding<NoteReason>;

/** The maximum number of findings with the same reason; more are only counted, because hostile input can consist of breaks. */
const maxListed = 100;

/** The breaks and notes, in order. */
export class Findings {
  readonly breaks: Break[] = [];
  readonly notes: Note[] = [];
  readonly #counts = new Map<string, number>();

  addBreak(reason: BreakReason, place: Place, of: string, other?: Place): void {
    if (this.#count(reason) <= maxListed)
      this.breaks.push({ reason, file: place.file, line: place.line, of, ...(other === undefined ? {} : { other }) });
  }

  addNote(reason: NoteReason, place: Place, of: string): void {
    if (this.#count(reason) <= maxListed) this.notes.push({ reason, file: place.file, line: place.line, of });
  }

  #count(reason: string): number {
    const count = (this.#counts.get(reason) ?? 0) + 1;
    this.#counts.set(reason, count);
    return count;
  }

  /** The number of findings by reason, listed or not. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }
}

/** A span of lines by number: `<name> 3-5`. */
export function numbersOf(name: string, first: number, last: number): string {
  return `${name} ${first}-${last}`;
}
