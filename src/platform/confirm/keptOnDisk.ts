import * as vscode from 'vscode';
import { storedPlacesOf } from '../../session/conversation/conversation.ts';
import type { Turn } from '../../session/conversation/turn.ts';
import { showWarning } from '../messages/show.ts';
import type { RequestContextReader, Retention } from '../settings/requestContextReader.ts';
import { allFolders } from '../settings/settingsReader.ts';

const t = vscode.l10n.t;

/**
 * Returns false if a turn was sent under zero retention: its content must never reach the disk, even if the settings change
 * later.
 */
function mayBeKept(turns: readonly Turn[]): boolean {
  return !turns.some(({ question }) => question.isZeroRetention);
}

/** Returns whether the content of these turns may be on the disk. It is `unknown` also while a request is being composed. */
export function retentionOf(turns: readonly Turn[], { retention }: Pick<RequestContextReader, 'retention'>): Retention {
  if (!mayBeKept(turns)) return 'none';
  const now = retention(storedPlacesOf(turns));
  if (now !== 'keep' || turns.every(({ question }) => question.places !== undefined)) return now;
  // The request may still include the instructions of any folder.
  return retention(allFolders()) === 'keep' ? 'keep' : 'unknown';
}

/** Whether the content of these turns may be on the disk without confirmation. */
export function isKept(contextReader: Pick<RequestContextReader, 'retention'>, turns: readonly Turn[]): boolean {
  return retentionOf(turns, { retention: (folders) => contextReader.retention(folders) }) === 'keep';
}

/** Asks the user to confirm a file under zero retention. `message` states what would otherwise not be stored. */
export function mayLeaveAFile(message: string): Promise<boolean> {
  return agreesTo(message, t('Export Anyway'));
}

/** Like mayLeaveAFile(), but for a document without a file, because VS Code backs up unsaved documents to the disk. */
export function mayOpenUntitled(): Promise<boolean> {
  const message = t(
    'Zero retention is or may be on, so nothing is saved. VS Code backs up a new file to the disk before you save it.',
  );
  return agreesTo(message, t('Open Anyway'));
}

/** Like mayLeaveAFile(), but for the input box of a source control view, which VS Code stores with its state. */
export function mayWriteMessage(): Promise<boolean> {
  const message = t(
    'Zero retention is or may be on, so Svc Coder keeps no part of this message. VS Code saves the text of the Source Control input box on the disk.',
  );
  return agreesTo(message, t('Write Anyway'));
}

/** Like mayLeaveAFile(), but for a conversation whose file no longer exists. */
export function maySaveAsNew(): Promise<boolean> {
  const message = t('Zero retention is or may be on, so nothing is saved. The new file stays on the disk.');
  return agreesTo(message, t('Save Anyway'));
}

async function agreesTo(message: string, yes: string): Promise<boolean> {
  return (await showWarning(message, { modal: true }, yes)) === yes;
}
