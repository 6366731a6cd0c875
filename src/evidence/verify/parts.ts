import { addTo } from '../../util/addTo.ts';
import { parseCheckpointLine } from '../checkpoint.ts';
import { otherLedgerOf, parseLedgerRecord } from '../ledgerRecords.ts';
import { frameAt, ledgerNamedAt, nameAt } from '../line.ts';
import { type InputFile, withFile } from './files.ts';
import { type OnLine, pieceBuffer, readLines } from './readLines.ts';

/**
 * The files of a collection in parts that have nothing to do with each other: a session is in the part of each ledger that
 * it names or that names it, and a ledger in that of the one before and after. So the memory that is needed is that of the largest
 * part, such as a machine. Each file ends where it did here: what is written meanwhile may name something else.
 */
export async function partsOf(
  files: readonly InputFile[],
  signal?: AbortSignal,
): Promise<readonly (readonly InputFile[])[]> {
  if (files.length < 2) return [files];
  const groups = new Groups();
  const buffer = pieceBuffer();
  const limited: InputFile[] = [];
  for (const file of files) {
    let limit = 0;
    await withFile(file.path, async (handle, size) => {
      limit = size;
      const onLine = namesInto(groups, `file ${limited.length}`);
      await readLines(handle, { buffer, onLine, onTooLong: () => undefined, limit, signal });
    });
    limited.push({ ...file, limit });
  }
  const parts = new Map<string, InputFile[]>();
  for (const [index, file] of limited.entries()) addTo(parts, groups.of(`file ${index}`), file);
  return [...parts.values()];
}

/** Joins a file with what its lines name. */
function namesInto(groups: Groups, file: string): OnLine {
  let last = '';
  return (bytes, start, end) => {
    const found = nameAt(bytes, start, end);
    if (found === null) return;
    const { of, name } = found;
    // Most lines follow one of the same session.
    if (name !== last) {
      if (!isLine(bytes, start, end)) return;
      groups.join(file, name);
      last = name;
    }
    const other = of === 'session' ? ledgerNamedAt(bytes, start, end) : namedByLedger(bytes, start, end);
    if (other !== null) groups.join(file, other);
  };
}

/** Other lines name nothing: each name takes memory. */
function isLine(bytes: Buffer, start: number, end: number): boolean {
  return frameAt(bytes, start, end) !== null || parseCheckpointLine(bytes.toString('latin1', start, end)) !== null;
}

/** The session that a line of a ledger is about, or the ledger before or after. */
function namedByLedger(bytes: Buffer, start: number, end: number): string | null {
  const record = parseLedgerRecord(bytes.toString('latin1', start, end));
  if (record === null || record === 'unknown') return null;
  if (record.kind === 'head' || record.kind === 'removed') return record.session;
  return otherLedgerOf(record);
}

/** Names that belong together, because they were joined with each other or with the same one. */
class Groups {
  readonly #parents = new Map<string, string>();

  /** The name that stands for all of its group. */
  of(name: string): string {
    let at = name;
    for (let parent = this.#parents.get(at); parent !== undefined; parent = this.#parents.get(at)) {
      const above = this.#parents.get(parent);
      if (above !== undefined) this.#parents.set(at, above);
      at = parent;
    }
    return at;
  }

  join(one: string, other: string): void {
    const [group, into] = [this.of(other), this.of(one)];
    if (group !== into) this.#parents.set(group, into);
  }
}
