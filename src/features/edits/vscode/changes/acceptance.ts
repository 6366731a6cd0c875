import * as vscode from 'vscode';
import { stepDone } from '../../../../platform/messages/firstStep.ts';
import { showWarning } from '../../../../platform/messages/show.ts';
import { Refusal, replyWords } from '../../../../platform/pages/callError.ts';
import type { AuditEntry, AuditTrail } from '../../../../send/audit.ts';
import { isServiceError } from '../../../../util/errors.ts';
import type { ChangesStatus } from '../../../tools/vscode/own/tool.ts';
import { canRunInBuild } from '../../common/canRunInBuild.ts';
import { type FileChange, isOpen, kindOf } from '../../common/changeSet.ts';
import { acceptRecord, rejectedRecord, undoneRecord, writtenRecord } from '../../common/changesRecords.ts';
import type { Hunk } from '../../common/hunks.ts';
import {
  type Accepted,
  type Choice,
  type LeftAlone,
  StaleChange,
  undoChanges,
  writeChanges,
} from '../../common/writeChanges.ts';
import type { AcceptedCode, OnAccepted } from '../acceptedCode.ts';
import { someName } from '../fileNames.ts';
import { isGuarded } from '../placing/answerPath.ts';
import type { KeptFile } from '../writing/workspaceFiles.ts';
import { type UndoableAccept, UndoStack } from './undoStack.ts';
import type { ChangeAct, OwnedChange, WritableChanges } from './writableChanges.ts';

const t = vscode.l10n.t;

interface AcceptanceParts {
  readonly audit: AuditTrail & { note(entry: AuditEntry): Promise<void> };
  readonly onAccepted: OnAccepted;
  /** Whether nothing may be written that cannot be recorded. */
  readonly isAuditRequired: () => boolean;
  /** The ID of the conversation in the panel. */
  readonly conversation: () => string;
}

/** Carries out the decisions on changes, one after the other: writes what the user accepts, records it, and undoes it. */
export class Acceptance {
  readonly #parts: AcceptanceParts;
  readonly #accepts = new UndoStack();
  /** The number of accepts of each file that can run in a build or decides what runs, without those that were undone. */
  readonly #buildFiles = new Map<string, number>();
  /** The number of accepts of such files, including those that were undone. */
  #buildAccepts = 0;
  /** Resolves when the decisions so far have been carried out, so that two never write at the same time. */
  #last: Promise<unknown> = Promise.resolve();
  /** The number of decisions that are not carried out yet. */
  #pending = 0;

  constructor(parts: AcceptanceParts) {
    this.#parts = parts;
  }

  /** The files with accepted changes that build, installation or test commands commonly execute, or that decide what runs. */
  get buildFiles(): Omit<ChangesStatus, 'waiting'> {
    const written = [...this.#buildFiles].flatMap(([path, accepts]) => (accepts > 0 ? [path] : []));
    return { written, accepts: this.#buildAccepts };
  }

  #count(paths: Iterable<string>, by: 1 | -1): void {
    for (const path of paths) this.#buildFiles.set(path, (this.#buildFiles.get(path) ?? 0) + by);
  }

  /** Returns why this cannot be done with changes now, or null if it can. */
  whyNot(changes: WritableChanges, act: ChangeAct): string | null {
    const isBusy = this.#pending > 0;
    return changes.whyNot?.(act) ?? (isBusy ? t('The previous decision is still being carried out.') : null);
  }

  /** Runs after what was decided before. */
  async next<T>(run: () => Promise<T>): Promise<T> {
    const next = this.#last.then(run);
    this.#last = next.catch(() => undefined);
    this.#pending += 1;
    try {
      return await next;
    } finally {
      this.#pending -= 1;
    }
  }

  /** Writes hunks of a change that the user sees in its diff. Returns why they were not written; '' if they were. */
  acceptHunks({ changes, change }: OwnedChange, hunks: readonly Hunk[]): Promise<string> {
    changes.noteShown?.(change);
    return this.next(() => this.write(changes, [{ change, hunks }]));
  }

  rejectHunks({ changes, change }: OwnedChange, hunks: readonly Hunk[]): Promise<void> {
    return this.next(() => this.reject(changes, [change], hunks));
  }

  /** Writes changes, or hunks of them. Returns why not all of them were written; '' if they were, or the user cancelled. */
  async write(changes: WritableChanges, choices: readonly Choice[]): Promise<string> {
    const { audit, conversation } = this.#parts;
    const deleted = choices.flatMap(({ change }) => (change.to === null ? (change.from ?? []) : []));
    if (!(await mayDelete(deleted))) return '';
    const chosen = choices.map(({ change }) => change);
    // A file may lose its other names when it is written.
    const canRun = await runnablePaths(changes, chosen);
    // The administrator's policy may have changed while the user was asked.
    const why = changes.whyNot?.('accept', chosen) ?? null;
    if (why !== null) return why;
    if (!(await this.#record(changes, choices))) return t('Nothing was written: the audit log cannot be written.');
    const before = choices.map(({ change: { draft } }) => changes.base ?? draft.original.join('\n'));
    const accepted = await writeChanges(changes.set, choices, changes.files);
    const written = new Set(accepted.steps.flat().map(({ path }) => path));
    const ofWritten = chosen.filter(({ from, to }) => written.has(from ?? to ?? ''));
    const buildFiles = buildFilesOf(changes, ofWritten, { written, canRun });
    this.#count(buildFiles.values(), 1);
    this.#buildAccepts += buildFiles.size;
    if (ofWritten.length > 0) {
      this.#accepts.push({ conversation: conversation(), of: changes, accepted, changes: ofWritten, buildFiles });
      stepDone('changed');
    }
    changes.didAccept?.(ofWritten);
    await audit.note(writtenRecord(changes.id, accepted));
    const recordCode = async ({ change }: Choice, at: number): Promise<void> => {
      const code = await codeOf(changes, change, before[at] ?? '', accepted);
      if (code !== null) await this.#parts.onAccepted(code);
    };
    await Promise.all(choices.map(recordCode));
    return accepted.stopped === undefined ? '' : stoppedWords(accepted.stopped, accepted.steps.length);
  }

  /** Records an accept before the first file is written. Returns whether the files may be written. */
  async #record(changes: WritableChanges, choices: readonly Choice[]): Promise<boolean> {
    const { audit, isAuditRequired } = this.#parts;
    const shown = new Set(choices.flatMap(({ change }) => (changes.isShown(change) ? [change] : [])));
    const entry = acceptRecord(changes.id, choices, shown);
    try {
      await (changes.mustRecord || isAuditRequired() ? audit.record(entry) : audit.note(entry));
      return true;
    } catch (error) {
      if (!isServiceError(error)) throw error;
      return false;
    }
  }

  /** Rejects a change, or hunks of it. A record is made when no part of the change is open any more. */
  async reject(changes: WritableChanges, chosen: readonly FileChange[], hunks?: readonly Hunk[]): Promise<void> {
    const open = chosen.filter(isOpen);
    for (const change of open) changes.set.rejected(change, hunks);
    changes.didReject?.(open);
    const count = open.filter((change) => !isOpen(change)).length;
    if (count > 0) await this.#parts.audit.note(rejectedRecord(changes.id, count));
  }

  /** Returns the last accept of changes that can be undone. */
  lastOf(changes: WritableChanges): UndoableAccept | undefined {
    return this.#accepts.last(({ of }) => of === changes);
  }

  /**
   * Undoes the last accept of changes, or without changes the last one since the conversation in the panel began. Returns false
   * if there is none. Throws a Refusal that names the files that were left alone.
   */
  async undo(changes?: WritableChanges): Promise<boolean> {
    const { audit, conversation } = this.#parts;
    const id = conversation();
    const last = this.#accepts.last((one) => (changes === undefined ? one.conversation === id : one.of === changes));
    if (last === undefined) return false;
    const why = last.of.whyNot?.('undo') ?? null;
    if (why !== null) throw new Refusal(why);
    const left = await undoChanges(last.accepted, last.of.files);
    this.#accepts.didUndo(last, left);
    await audit.note(undoneRecord(last.of.id, last.accepted, left));
    const isLeft = (path: string | null): boolean => left.some(({ paths }) => path !== null && paths.includes(path));
    const restored = last.changes.filter(({ from, to }) => !isLeft(from) && !isLeft(to));
    this.#count(
      restored.flatMap((change) => last.buildFiles.get(change) ?? []),
      -1,
    );
    await last.of.didUndo?.(restored);
    if (left.length > 0) throw new Refusal(left.map(leftWords).join(' '));
    return true;
  }
}

/** Returns the code that comes from the service, or null for a change whose text was not written. */
async function codeOf(
  changes: WritableChanges,
  change: FileChange,
  before: string,
  { steps }: Accepted<KeptFile>,
): Promise<AcceptedCode | null> {
  const { from, to } = change;
  const written = kindOf(change) === 'delete' ? undefined : steps.flat().find(({ path }) => path === (from ?? to));
  if (written === undefined || to === null) return null;
  const { files } = changes;
  const lines = (await files.lines(to).catch(() => null)) ?? (await files.lines(from ?? to).catch(() => null));
  const after = lines?.join('\n');
  if (lines === null || after === undefined || after === before) return null;
  return { source: changes.sourceOf(change), languageId: changes.languageOf(change, lines), before, after };
}

/** Returns the paths of changes whose files can run in a build, also under another name, which a file keeps when it is renamed. */
async function runnablePaths(of: WritableChanges, changes: readonly FileChange[]): Promise<ReadonlySet<string>> {
  const canRun = (path: string): boolean => canRunInBuild(path) || isGuarded(path);
  const found = changes.map(async ({ from, to }) => {
    const file = of.fileOf(from ?? to ?? '');
    const isOther = file !== undefined && (await someName(file, (path) => path !== file.path && canRun(path)));
    return [from ?? [], to ?? []].flat().filter((path) => isOther || canRun(of.fileOf(path)?.path ?? path));
  });
  return new Set((await Promise.all(found)).flat());
}

/** Returns the paths of the written files that can run in a build. A file may be renamed later. */
function buildFilesOf(
  of: WritableChanges,
  changes: readonly FileChange[],
  { written, canRun }: Readonly<Record<'written' | 'canRun', ReadonlySet<string>>>,
): ReadonlyMap<FileChange, string> {
  const found = new Map<FileChange, string>();
  for (const change of changes) {
    const { from, to } = change;
    // A file whose new name could not be written has its former one. A deleted file does not run.
    const path = to === null || written.has(to) ? to : from;
    if (path !== null && canRun.has(path)) found.set(change, of.pathOf?.() ?? path);
  }
  return found;
}

/** The maximum number of deleted files that the question names. */
const maxListed = 10;

async function mayDelete(paths: readonly string[]): Promise<boolean> {
  if (paths.length === 0) return true;
  const remove = t('Delete');
  const question = paths.length === 1 ? t('Delete {0}?', paths[0] ?? '') : t('Delete {0} files?', paths.length);
  const named = paths.length === 1 ? [] : paths.slice(0, maxListed);
  const others = paths.length > maxListed ? [t('… and {0} more', paths.length - maxListed)] : [];
  const detail = [...named, ...others, t('You can undo this while this window is open.')].join('\n');
  return (await showWarning(question, { modal: true, detail }, remove)) === remove;
}

function stoppedWords({ path, reason }: NonNullable<Accepted<KeptFile>['stopped']>, written: number): string {
  const why =
    reason instanceof StaleChange ? t('The file has changed since the change was proposed.') : replyWords(reason);
  const rest = written === 0 ? '' : t('The files that were written before it stay written.');
  return [t('{0} was not written.', path), why, rest].filter((words) => words !== '').join(' ');
}

function leftWords({ paths, reason }: LeftAlone): string {
  const path = paths.at(-1) ?? '';
  return reason === undefined
    ? t('{0} has changed since, so it was not restored.', path)
    : t('{0} was not restored: {1}', path, replyWords(reason));
}
