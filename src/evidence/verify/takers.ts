import { frameAt, kindOf, leafInto } from '../line.ts';
import type { InputFile } from './files.ts';
import type { Intake, Signer } from './intake.ts';
import { type OnLine, pieceBuffer, readLines } from './readLines.ts';

export interface RecordPlace {
  readonly session: string;
  readonly seq: number;
  /** The ledger that signs the session, or null. */
  readonly signer: Signer | null;
}

/** Receives lines of sessions when they are verified. */
export interface RecordTaker {
  readonly kinds: ReadonlySet<string>;
  /** Called once for each line of one of the kinds. Anyone can have added a line that is not signed. */
  take(place: RecordPlace, line: string, isSigned: boolean): void;
}

/**
 * Passes verified lines to the takers. The files are read again, because the text of lines is not kept; a line that has
 * changed since is left out. `files` are the files of the intake, by their index.
 */
export async function giveLines(
  files: readonly InputFile[],
  intake: Intake,
  takers: readonly RecordTaker[],
  signal: AbortSignal | undefined,
): Promise<void> {
  if (takers.length === 0) return;
  const buffer = pieceBuffer();
  for (const [file, { path, limit }] of files.entries()) {
    let line = 0;
    const onLine: OnLine = (bytes, start, end) => {
      line += 1;
      giveLine({ file, line }, bytes.subarray(start - 1, end), intake, takers);
    };
    const onTooLong = () => {
      line += 1;
    };
    await readLines(path, { buffer, onLine, onTooLong, limit, signal });
  }
}

const readLeaf = Buffer.alloc(32);

/** `bytes` contains the byte before the line, too. */
function giveLine(
  { file, line }: { readonly file: number; readonly line: number },
  bytes: Buffer,
  { sessions }: Intake,
  takers: readonly RecordTaker[],
): void {
  const frame = frameAt(bytes, 1, bytes.length);
  if (frame?.of !== 'session') return;
  const kind = kindOf(bytes, frame);
  const own = takers.filter(({ kinds }) => kinds.has(kind));
  const lines = sessions.get(frame.name);
  if (own.length === 0 || lines === undefined) return;
  leafInto(bytes, 1, bytes.length, readLeaf);
  const found = lines.all(frame.seq).find((one) => one.file === file && one.line === line && one.leaf.equals(readLeaf));
  if (found === undefined) return;
  const isSigned = lines.trunk?.covers(found) === true && !lines.unvouched.has(found.seq);
  const text = bytes.toString('latin1', 1);
  for (const taker of own) taker.take({ session: frame.name, seq: frame.seq, signer: lines.signer }, text, isSigned);
}
