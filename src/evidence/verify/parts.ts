import { lstatSync } from 'node:fs';
import { addTo } from '../../util/groups.ts';
import { parseCheckpointLine } from '../checkpoint.ts';
import { otherLedgerOf, parseLedgerRecord } from '../ledgerRecords.ts';
import { frameAt, ledgerNamedAt, nameAt, startsWith } from '../line.ts';
import type { InputFile } from './files.ts';
import { type OnLine, pieceBuffer, readLines } from './readLines.ts';

/**
 * Divides the files of a collection into independent parts: a session is in the same part as each ledger that it names or that
 * names it, and a ledger in the same part as its predecessor and successor. So only the largest part, such as the logs of one
 * machine, must fit in memory. The size of each file is fixed here, because later lines may name other sessions or ledgers.
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
    const onLine = nameCollector(groups, `file ${limited.length}`);
    const limit = lstatSync(file.path).size;
    await readLines(file.path, { buffer, onLine, limit, signal });
    limited.push({ ...file, limit });
  }
  const parts = new Map<string, InputFile[]>();
  for (const [index, file] of limited.entries()) addTo(parts, groups.find(`file ${index}`), file);
  return [...parts.values()];
}

/** Returns a line handler that joins a file with the sessions and ledgers that its lines name. */
function nameCollector(groups: Groups, file: string): OnLine {
  let last = '';
  return (bytes, start, end) => {
    const found = nameAt(bytes, start, end);
    if (found === null) return;
    const { of, name } = found;
    // Usually, the previous line belongs to the same session.
    if (name !== last) {
      if (!isLine(bytes, start, end)) return;
      groups.union(file, name);
      last = name;
    }
    const other = of === 'session' ? ledgerNamedAt(bytes, start, end) : namedByLedger(bytes, start, end);
    if (other !== null) groups.union(file, other);
  };
}

/** Whether a line is valid: only names in valid lines are accepted, because each name takes memory. */
function isLine(bytes: Buffer, start: number, end: number): boolean {
  return frameAt(bytes, start, end) !== null || parseCheckpointLine(bytes.toString('latin1', start, end)) !== null;
}

/** The session that a line of a ledger is about, or the ledger's predecessor or successor. */
function namedByLedger(bytes: Buffer, start: number, end: number): string | null {
  const frame = frameAt(bytes, start, end);
  if (frame === null) return null;
  // Nearly every line records the head of a session. Parsing such a line would take ten times as long.
  const at = frame.kindEnd + sessionStart.length;
  if (startsWith(bytes, frame.kindEnd, sessionStart)) return bytes.toString('latin1', at, bytes.indexOf(0x22, at));
  const record = parseLedgerRecord(bytes.toString('latin1', start, end));
  return record === null || record === 'unknown' ? null : otherLedgerOf(record);
}

const sessionStart = Buffer.from('","session":"');

/** Groups of names (union-find): names belong together if they are joined directly or through others. */
class Groups {
  readonly #parents = new Map<string, string>();

  /** The name that represents its group. */
  find(name: string): string {
    let at = name;
    for (let parent = this.#parents.get(at); parent !== undefined; parent = this.#parents.get(at)) {
      const above = this.#parents.get(parent);
      if (above !== undefined) this.#parents.set(at, above);
      at = parent;
    }
    return at;
  }

  union(one: string, other: string): void {
    const [group, into] = [this.find(other), this.find(one)];
    if (group !== into) this.#parents.set(group, into);
  }
}
