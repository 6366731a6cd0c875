import type { FileChange } from '../../common/changeSet.ts';
import type { Accepted, LeftAlone } from '../../common/writeChanges.ts';
import type { KeptFile } from '../writing/workspaceFiles.ts';
import type { WritableChanges } from './writableChanges.ts';

/** An accept that can be undone. */
export interface UndoableAccept {
  /** The ID of the conversation that was in the panel. */
  readonly conversation: string;
  readonly of: WritableChanges;
  readonly accepted: Accepted<KeptFile>;
  readonly changes: readonly FileChange[];
  /** The path of each change whose file can run in a build, as it was at the accept. */
  readonly buildFiles: ReadonlyMap<FileChange, string>;
}

/** The maximum number of accepts that can be undone, and of bytes that are kept for it. */
const maxAccepts = 100;
const maxKeptBytes = 64 * 1024 * 1024;

/** The accepts of this window that can be undone. In memory only. The oldest ones are forgotten if there are too many. */
export class UndoStack {
  #accepts: readonly UndoableAccept[] = [];

  push(accept: UndoableAccept): void {
    this.#accepts = [...this.#accepts, accept].slice(-maxAccepts);
    let bytes = this.#accepts.reduce((sum, each) => sum + bytesOf(each), 0);
    while (this.#accepts.length > 1 && bytes > maxKeptBytes) {
      const [oldest, ...others] = this.#accepts;
      bytes -= oldest === undefined ? 0 : bytesOf(oldest);
      this.#accepts = others;
    }
  }

  last(isMeant: (accept: UndoableAccept) => boolean): UndoableAccept | undefined {
    return this.#accepts.findLast(isMeant);
  }

  /** Removes an accept. Files that could not be restored for a reason other than a change of theirs can be undone again. */
  didUndo(accept: UndoableAccept, left: readonly LeftAlone[]): void {
    const failed = left.filter(({ reason }) => reason !== undefined).flatMap(({ paths }) => paths);
    const steps = accept.accepted.steps.filter((step) => step.some(({ path }) => failed.includes(path)));
    const changes = accept.changes.filter(({ from, to }) => failed.some((path) => path === from || path === to));
    const rest = steps.length === 0 ? [] : [{ ...accept, accepted: { steps }, changes }];
    this.#accepts = this.#accepts.flatMap((each) => (each === accept ? rest : [each]));
  }
}

function bytesOf({ accepted: { steps } }: UndoableAccept): number {
  return steps
    .flat()
    .reduce((sum, { before }) => sum + (before?.bytes.length ?? 0) + 2 * (before?.unsaved?.length ?? 0), 0);
}
