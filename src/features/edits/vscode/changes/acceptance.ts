import * as vscode from 'vscode';
import { showWarning } from '../../../../platform/messages/show.ts';
import { replyWords } from '../../../../platform/pages/callError.ts';
import type { AuditEntry, AuditTrail } from '../../../../send/audit.ts';
import { isServiceError } from '../../../../util/errors.ts';
import { type FileChange, kindOf } from '../../common/changeSet.ts';
import { acceptRecord, writtenRecord } from '../../common/changesRecords.ts';
import { type Accepted, type Choice, StaleChange, writeChanges } from '../../common/writeChanges.ts';
import type { OnAccepted } from '../acceptedCode.ts';
import { hiddenIn } from '../confirm.ts';
import { keeperFor } from '../secretKeeper.ts';
import { type Target, wholeTarget } from '../target.ts';
import type { ConversationChanges } from './conversationChanges.ts';
import { languageOf } from './languageOf.ts';
import type { KeptFile } from './workspaceFiles.ts';

const t = vscode.l10n.t;

interface AcceptanceParts {
  readonly changes: ConversationChanges;
  readonly audit: AuditTrail & { note(entry: AuditEntry): Promise<void> };
  readonly onAccepted: OnAccepted;
  readonly onDidWrite: () => void;
}

interface Split {
  /** The changes that can be written, with the text that was checked. */
  readonly ready: readonly Choice[];
  readonly stale: readonly FileChange[];
  readonly toReview: readonly FileChange[];
  readonly failures: readonly string[];
}

/** Writes what the user has accepted, and records it. */
export class Acceptance {
  readonly #parts: AcceptanceParts;

  constructor(parts: AcceptanceParts) {
    this.#parts = parts;
  }

  /**
   * Separates the changes of files that have changed since, and those that the user has to decide about in their diffs, where they
   * are asked: changes with hidden characters, and changes of secrets. `failures` says why files cannot be read.
   */
  async split(open: readonly FileChange[]): Promise<Split> {
    const ready: Choice[] = [];
    const stale: FileChange[] = [];
    const toReview: FileChange[] = [];
    const failures: string[] = [];
    for (const change of open) {
      try {
        const { proposed } = change.draft;
        const kind = await this.#kindOf(change);
        if (kind === 'ready') ready.push({ change, proposed });
        else (kind === 'stale' ? stale : toReview).push(change);
      } catch (error) {
        failures.push(replyWords(error));
      }
    }
    return { ready, stale, toReview, failures };
  }

  async #kindOf(change: FileChange): Promise<'ready' | 'stale' | 'toReview'> {
    const { changes } = this.#parts;
    const { from, to, draft } = change;
    changes.set.check(change, await changes.files.lines(from ?? to ?? ''));
    if (change.state === 'stale') return 'stale';
    if (to === null || draft.isUnchanged) return 'ready';
    const document = await changes.files.document(from ?? to);
    const target: Target =
      document === null ? { kind: 'untitled', languageId: languageOf(to, draft.proposed) } : wholeTarget(document);
    const languageId = target.kind === 'document' ? target.document.languageId : target.languageId;
    const found = hiddenIn({ draft, keeper: await keeperFor(target), languageId }, draft.hunks);
    return found.length === 0 ? 'ready' : 'toReview';
  }

  /** Writes changes, or hunks of them. Returns why not all of them were written; '' if they were, or the user cancelled. */
  async write(choices: readonly Choice[]): Promise<string> {
    const { changes, audit } = this.#parts;
    const { set, files } = changes;
    const deleted = choices.flatMap(({ change }) => (change.to === null ? (change.from ?? []) : []));
    if (!(await mayDelete(deleted))) return '';
    const shown = new Set(choices.flatMap(({ change }) => (changes.isShown(change) ? [change] : [])));
    try {
      // It is on the disk before the first file is written.
      await audit.record(acceptRecord(changes.id, choices, shown));
    } catch (error) {
      if (!isServiceError(error)) throw error;
      return t('Nothing was written: the audit log cannot be written.');
    }
    const before = choices.map(({ change: { draft } }) => draft.original.join('\n'));
    const accepted = await writeChanges(set, choices, files);
    const written = new Set(accepted.steps.flat().map(({ path }) => path));
    const ofWritten = choices.map(({ change }) => change).filter(({ from, to }) => written.has(from ?? to ?? ''));
    if (ofWritten.length > 0) changes.didAccept(accepted, ofWritten);
    this.#parts.onDidWrite();
    await audit.note(writtenRecord(changes.id, accepted));
    for (const [at, { change }] of choices.entries()) await this.#recordCode(change, before[at] ?? '', accepted);
    return accepted.stopped === undefined ? '' : stoppedWords(accepted.stopped, accepted.steps.length);
  }

  /** Records the lines that come from the service, for a change whose text was written. */
  async #recordCode(change: FileChange, before: string, { steps }: Accepted<KeptFile>): Promise<void> {
    const { from, to } = change;
    const written = kindOf(change) === 'delete' ? undefined : steps.flat().find(({ path }) => path === (from ?? to));
    if (written === undefined || to === null) return;
    const { changes, onAccepted } = this.#parts;
    const { files } = changes;
    const lines = (await files.lines(to).catch(() => null)) ?? (await files.lines(from ?? to).catch(() => null));
    if (lines === null || lines.join('\n') === before) return;
    await onAccepted({
      source: changes.sourceOf(change),
      languageId: languageOf(to, lines),
      before: from === null ? '' : before,
      after: lines.join('\n'),
    });
  }
}

/** The maximum number of deleted files that the question names. */
const maxListed = 10;

async function mayDelete(paths: readonly string[]): Promise<boolean> {
  if (paths.length === 0) return true;
  const remove = t('Delete');
  const question = paths.length === 1 ? t('Delete {0}?', paths[0] ?? '') : t('Delete {0} files?', paths.length);
  const listed = paths.length > maxListed ? [t('… and {0} more', paths.length - maxListed)] : [];
  const detail = [...paths.slice(0, maxListed), ...listed, t('You can undo this while this window is open.')].join(
    '\n',
  );
  return (await showWarning(question, { modal: true, detail }, remove)) === remove;
}

function stoppedWords({ path, reason }: NonNullable<Accepted<KeptFile>['stopped']>, written: number): string {
  const why =
    reason instanceof StaleChange ? t('The file has changed since the change was proposed.') : replyWords(reason);
  const rest = written === 0 ? '' : t('The files that were written before it stay written.');
  return [t('{0} was not written.', path), why, rest].filter((words) => words !== '').join(' ');
}
