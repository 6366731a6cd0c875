import * as vscode from 'vscode';
import { foldersOf, type Turn } from '../../session/conversation/conversation.ts';
import type { RequestContextReader } from '../config/requestContextReader.ts';
import { showWarning } from '../messages.ts';

const t = vscode.l10n.t;

/** What was once sent under zero retention never reaches the disk, whatever the settings say later. */
export function mayBeKept(turns: readonly Turn[]): boolean {
  return !turns.some(({ isZeroRetention }) => isZeroRetention);
}

/** Whether the content of these turns may be on the disk without a question. */
export function isKept(standing: Pick<RequestContextReader, 'retention'>, turns: readonly Turn[]): boolean {
  return mayBeKept(turns) && standing.retention(foldersOf(turns)) === 'keep';
}

/** Under zero retention a user who wants a file says so twice. `message` says what is not kept otherwise. */
export function mayLeaveAFile(message: string): Promise<boolean> {
  return agreesTo(message, t('Export All the Same'));
}

/** The same of a document that has no file yet: VS Code backs it up to the disk while it is not saved. */
export function mayOpenUntitled(): Promise<boolean> {
  const message = t(
    'Zero retention holds, or may hold: nothing of this is kept. VS Code would back up a new file to the disk before it is saved.',
  );
  return agreesTo(message, t('Open All the Same'));
}

/** The same of the input box of a source control view, which VS Code keeps with its own state. */
export function mayWriteMessage(): Promise<boolean> {
  const message = t(
    'Zero retention holds, or may hold: nothing of this is kept. VS Code keeps on the disk what stands in the input box of Source Control.',
  );
  return agreesTo(message, t('Write All the Same'));
}

/** The same of a file whose own one is gone. */
export function maySaveAsNew(): Promise<boolean> {
  const message = t(
    'Zero retention holds, or may hold: nothing of this is kept. The new file would keep the text on the disk.',
  );
  return agreesTo(message, t('Save All the Same'));
}

async function agreesTo(message: string, yes: string): Promise<boolean> {
  return (await showWarning(message, { modal: true }, yes)) === yes;
}
