import { parseCheckpointLine } from '../checkpoint.ts';
import { type LedgerRecord, parseLedgerRecord } from '../ledgerRecords.ts';
import { type Frame, frameAt, leafInto, ledgerNamedAt, startsWith } from '../line.ts';
import { logIdIn } from '../logId.ts';
import type { Trunk } from './branches.ts';
import type { Findings, Place } from './findings.ts';
import { NumberedLines } from './numberedLines.ts';

/** What the lines of a file should be, by its name. */
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
  /** Its signed lines: null until it is verified, and if no taker needs its lines. */
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
}

const checkpointStart = Buffer.from('{"v":2,"ledger":"');
const checkpointKind = '","kind":"checkpoint",';

/** Sorts lines into sessions and ledgers. */
export class Intake {
  readonly sessions = new Map<string, SessionLines>();
  readonly ledgers = new Map<string, LedgerLines>();
  readonly files: string[] = [];
  /** Buffers for the current line: their content must be copied to be kept. */
  readonly #leaf = Buffer.alloc(32);
  readonly #prev = Buffer.alloc(32);
  readonly #findings: Findings;
  /** Lines may come in any order and twice, and in any file. */
  readonly #isCollected: boolean;

  constructor(findings: Findings, isCollected: boolean) {
    this.#findings = findings;
    this.#isCollected = isCollected;
  }

  placeOf({ file, line }: { readonly file: number; readonly line: number }): Place {
    return { file: this.files[file] ?? '', line };
  }

  /** Begins a file; returns what takes its lines, counted from 1. */
  file(name: string, expected: Expected | null): (line: number, bytes: Buffer, start: number, end: number) => void {
    const file = this.files.push(name) - 1;
    return (line, bytes, start, end) => {
      const frame = frameAt(bytes, start, end);
      const isTaken =
        frame === null
          ? this.#takeOther({ file, line }, bytes, start, end, expected)
          : this.#take({ file, line }, bytes, start, end, { frame, expected });
      if (!isTaken) this.#findings.addBreak('not-a-record', { file: name, line }, expected?.name ?? '');
    };
  }

  #takeOther(at: FileLine, bytes: Buffer, start: number, end: number, expected: Expected | null): boolean {
    const isLedgers = startsWith(bytes, start, checkpointStart);
    const text = isLedgers ? bytes.toString('latin1', start, end) : '';
    const parsed = text.includes(checkpointKind) ? parseCheckpointLine(text) : null;
    if (parsed === null) return false;
    const place = this.placeOf(at);
    if (!this.#isExpected(expected, 'ledger', logIdIn(parsed.ledger))) {
      this.#findings.addBreak('out-of-order', place, parsed.ledger);
      return true;
    }
    const ledger = this.#ledger(parsed.ledger);
    if (!ledger.checkpoints.has(parsed.note)) ledger.checkpoints.set(parsed.note, place);
    return true;
  }

  #take(at: FileLine, bytes: Buffer, start: number, end: number, { frame, expected }: Framed): boolean {
    const { of, name, seq, time, prev } = frame;
    if (!this.#isExpected(expected, of, of === 'ledger' ? logIdIn(name) : name)) {
      this.#findings.addBreak('out-of-order', this.placeOf(at), name);
      return true;
    }
    // A ledger's line is parsed at once, because its text is not kept: if two have the same number, either can be signed.
    const record = of === 'ledger' ? parseLedgerRecord(bytes.toString('latin1', start, end)) : 'unknown';
    const milliseconds = Date.parse(time);
    if (record === null || Number.isNaN(milliseconds)) return false;
    const lines = of === 'session' ? this.#session(name) : this.#ledger(name);
    const { last } = lines;
    const leaf = this.#leaf;
    leafInto(bytes, start, end, leaf);
    this.#prev.write(prev, 'hex');
    const { file, line } = at;
    const added = lines.add({ seq, leaf, prev: this.#prev, time: milliseconds, file, line });
    if (added === 'ahead') return false;
    if (!this.#isCollected && (added !== 'new' || seq < last)) {
      this.#findings.addBreak('out-of-order', this.placeOf(at), name);
      return true;
    }
    if (lines instanceof LedgerLines && record !== 'unknown') lines.records.set(leaf.toString('hex'), record);
    else if (lines instanceof SessionLines && frame.kind === 'session-started') {
      const ledger = ledgerNamedAt(bytes, start, end);
      if (ledger !== null) lines.ledgers.add(ledger);
    }
    return true;
  }

  #isExpected(expected: Expected | null, of: Expected['of'], name: string): boolean {
    return expected === null || (expected.of === of && expected.name === name);
  }

  #session(name: string): SessionLines {
    const found = this.sessions.get(name);
    if (found !== undefined) return found;
    const lines = new SessionLines();
    this.sessions.set(name, lines);
    return lines;
  }

  #ledger(origin: string): LedgerLines {
    const found = this.ledgers.get(origin);
    if (found !== undefined) return found;
    const lines = new LedgerLines(origin);
    this.ledgers.set(origin, lines);
    return lines;
  }
}

interface FileLine {
  readonly file: number;
  readonly line: number;
}

interface Framed {
  readonly frame: Frame;
  readonly expected: Expected | null;
}
