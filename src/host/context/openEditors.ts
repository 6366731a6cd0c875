import * as vscode from 'vscode';
import { attachRange } from '../attachCode.ts';
import type { ReadFiles } from '../exclusions.ts';
import { openText } from './fileSource.ts';
import { openFiles } from './files.ts';
import { nothingIn, type WhyExcluded } from './gather.ts';
import type { ContextSource } from './source.ts';

const t = vscode.l10n.t;

/** The files of all editors that are open when the question is sent, each an attachment of its own. */
export function openEditorsSource(whyExcluded: WhyExcluded): ContextSource {
  const label = t('Open Editors');
  return {
    key: 'openEditors',
    label,
    icon: 'files',
    async read() {
      const known: ReadFiles = new Map();
      const looked = await Promise.all(
        openFiles().map(async (file) => {
          if ((await whyExcluded(file.toString(), known)) !== null) return null;
          // What is no text (a picture that is open as text) is left out too.
          return openText(file).then(
            (document) => attachRange(document, undefined),
            () => null,
          );
        }),
      );
      const attachments = looked.filter((attachment) => attachment !== null);
      const leftOut = looked.length - attachments.length;
      if (attachments.length === 0) throw nothingIn(label);
      return { attachments, ...(leftOut === 0 ? {} : { note: t('{0} left out', leftOut) }) };
    },
  };
}
