import * as vscode from 'vscode';
import { attachFile } from '../../../platform/sources/attach.ts';
import type { ReadFiles } from '../../../platform/sources/ignored/exclusions.ts';
import { openFiles } from './files.ts';
import { nothingIn } from './gather.ts';
import type { ContextSource } from './source.ts';
import { isUnsaved } from './unsaved.ts';

const t = vscode.l10n.t;

/** The files of all editors that are open when the question is sent, each as an attachment. */
export function openEditorsSource(): ContextSource {
  const label = t('Open Editors');
  return {
    key: 'openEditors',
    label,
    icon: 'files',
    isUnsaved: () => openFiles().some(isUnsaved),
    async read() {
      const known: ReadFiles = new Map();
      const looked = await Promise.all(
        openFiles().map((file) =>
          // Files that are not text (such as an image opened as text) are left out as well.
          attachFile(file, undefined, { outside: 'refuse', known }).catch(() => null),
        ),
      );
      const attachments = looked.filter((one) => one !== null).filter(({ refused }) => refused === undefined);
      const leftOut = looked.length - attachments.length;
      if (attachments.length === 0) throw nothingIn(label);
      return { attachments, ...(leftOut === 0 ? {} : { note: t('{0} left out', leftOut) }) };
    },
  };
}
