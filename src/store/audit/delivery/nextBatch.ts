import type { LogLine } from '../../../client/otlp/logsBody.ts';
import type { FilePosition } from './deliveryState.ts';
import { readBatch, type UndeliveredFile, type Written } from './undelivered.ts';

interface Batch {
  readonly lines: readonly LogLine[];
  /** The positions in the files after these lines are accepted. */
  readonly positions: ReadonlyMap<string, FilePosition>;
  /** The files, and parts of files, that remain after this batch. */
  readonly remaining: readonly UndeliveredFile[];
}

/** Takes lines of one file after the other, up to `maxBytes` in total. A file that no longer exists is skipped. */
export async function nextBatch(
  folder: string,
  files: readonly UndeliveredFile[],
  maxBytes: number,
  written: Written | null,
): Promise<Batch> {
  const lines: LogLine[] = [];
  const positions = new Map<string, FilePosition>();
  let remaining = files;
  let bytes = 0;
  for (let file = remaining[0]; file !== undefined; file = remaining[0]) {
    const read = await readBatch(folder, file, maxBytes - bytes, written);
    const end = read?.position.end ?? file.size;
    const isStuck = read === null || (read.bytes === 0 && end === file.position.end);
    if (read !== null && !isStuck) positions.set(file.name, read.position);
    remaining = remaining.slice(1);
    if (read === null || isStuck) continue;
    for (const { log } of read.lines) lines.push(log);
    bytes += read.bytes;
    const rest = { ...file, position: read.position };
    if (end < file.size) remaining = [rest, ...remaining];
    // One of our lines must fit into the rest of the batch.
    if (maxBytes - bytes < maxLineBytes) break;
  }
  return { lines, positions, remaining };
}

const maxLineBytes = 8_001;
