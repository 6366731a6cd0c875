import { parseCheckpointLine } from '../checkpoint.ts';
import { type LedgerRecord, parseLedgerRecord } from '../ledgerRecords.ts';
import { type FramePlaces, foundPrev, frameAt, leafInto, ledgerNamedAt, nameAt, timeOf } from '../line.ts';
import { logIdIn } from '../logId.ts';
import type { Trunk } from './branches.ts';
import type { Findings, Place } from './findings.ts';
import { type NumberedLine, NumberedLines } from './numberedLines.ts';

/** The expected session or ledger of a file's lines, according to its name. */
export interface Expected {
  readonly of: 'session' | 'ledger';
  /** The session, or the log id of the ledger. */
  readonly name: string;
}

/** A ledger, and the first one of its chain. */
export interface Signer {
  readonly ledger: string;
  readonly chain: string;
}

export class SessionLines extends NumberedLines {
  /** The ledgers that its lines name. */
  readonly ledgers = new Set<string>();
  /** The signed lines; null until the session is verified, or if no taker needs its lines. */
  trunk: Trunk | null = null;
  /** The ledger that signs the session, and the first ledger of its chain; null until the session is verified. */
  signer: Signer | null = null;
  /** The numbers of signed lines that nothing proves: their window was killed before it had signed them. */
  readonly unvouched = new Set<number>();
}

export class LedgerLines extends NumberedLines {
  readonly origin: string;
  /** The note of each checkpoint line, with its first place. */
  readonly checkpoints = new Map<string, Place>();
  /** The records of the lines, by their leaf in hex. */
  readonly records = new Map<string, LedgerRecord>();

  constructor(origin: string) {
    super();
    this.origin = origin;
  }

  recordOf({ leaf }: NumberedLine): LedgerRecord | undefined {
    return this.records.get(leaf.toString('hex'));
  }
}

/** Sorts lines into sessions and ledgers. */
export class Intake {
  readonly sessions = new Map<string, SessionLines>();
  readonly ledgers = new Map<string, LedgerLines>();
  readonly files: string[] = [];
  /** The current line, which must be copied to be kept. */
  readonly #line = { seq: 0, leaf: Buffer.alloc(32), prev: foundPrev, time: 0, file: 0, line: 0 };
  readonly #findings: Findings;
  /** Whether lines may come in any order and twice, and in any file. */
  readonly #isCollected: boolean;

  constructor(findings: Findings, isCollected: boolean) {
    this.#findings = findings;
    this.#isCollected = isCollected;
  }

  placeOf({ file, line }: { readonly file: number; readonly line: number }): Place {
    return { file: this.files[file] ?? '', line };
  }

  /** Begins a file. Returns the function that takes its lines, counted from 1. */
  file(name: string, expected: Expected | null): (line: number, bytes: Buffer, start: number, end: number) => void {
    this.#line.file = this.files.push(name) - 1;
    return (line, bytes, start, end) => {
      this.#line.line = line;
      const frame = frameAt(bytes, start, end);
      const isTaken =
        frame === null ? this.#takeOther(bytes, start, end, expected) : this.#take(bytes, start, end, frame, expected);
      if (!isTaken) this.#findings.addBreak('not-a-record', { file: name, line }, expected?.name ?? '');
    };
  }

  #takeOther(bytes: Buffer, start: number, end: number, expected: Expected | null): boolean {
    const isLedgers = nameAt(bytes, start, end)?.of === 'ledger';
    const parsed = isLedgers ? parseCheckpointLine(bytes.toString('latin1', start, end)) : null;
    if (parsed === null) return false;
    if (this.#isElsewhere('ledger', parsed.ledger, expected)) return true;
    const { checkpoints } = this.#ledger(parsed.ledger);
    if (!checkpoints.has(parsed.note)) checkpoints.set(parsed.note, this.placeOf(this.#line));
    return true;
  }

  #take(bytes: Buffer, start: number, end: number, frame: FramePlaces, expected: Expected | null): boolean {
    const { of, name } = frame;
    if (this.#isElsewhere(of, name, expected)) return true;
    // A ledger's line is parsed immediately, because its text is not kept: if two have the same number, either can be signed.
    const record = of === 'ledger' ? parseLedgerRecord(bytes.toString('latin1', start, end)) : 'unknown';
    const line = this.#line;
    line.seq = frame.seq;
    line.time = timeOf(bytes, frame);
    if (record === null || Number.isNaN(line.time)) return false;
    const lines = this.#linesOf(of, name);
    const { last } = lines;
    leafInto(bytes, start, end, line.leaf);
    const added = lines.add(line);
    if (added === 'ahead') return false;
    if (!this.#isCollected && (added !== 'new' || line.seq < last)) {
      this.#findings.addBreak('out-of-order', this.placeOf(line), name);
      return true;
    }
    if (lines instanceof LedgerLines && record !== 'unknown') lines.records.set(line.leaf.toString('hex'), record);
    else if (lines instanceof SessionLines) {
      const ledger = ledgerNamedAt(bytes, start, end);
      if (ledger !== null) lines.ledgers.add(ledger);
    }
    return true;
  }

  /** Whether a line is in a file of another name, which is reported. */
  #isElsewhere(of: Expected['of'], name: string, expected: Expected | null): boolean {
    const own = of === 'ledger' ? logIdIn(name) : name;
    if (expected === null || (expected.of === of && expected.name === own)) return false;
    this.#findings.addBreak('out-of-order', this.placeOf(this.#line), name);
    return true;
  }

  #linesOf(of: Expected['of'], name: string): SessionLines | LedgerLines {
    if (of === 'ledger') return this.#ledger(name);
    const lines = this.sessions.get(name) ?? new SessionLines();
    if (lines.count === 0) this.sessions.set(name, lines);
    return lines;
  }

  #ledger(origin: string): LedgerLines {
    const lines = this.ledgers.get(origin) ?? new LedgerLines(origin);
    this.ledgers.set(origin, lines);
    return lines;
  }
}
