import type * as vscode from 'vscode';
import { relativePath } from '../../../platform/files/relativePath.ts';
import { attachFile, attachWhole } from '../../../platform/sources/attach.ts';
import type { ContextSource } from './source.ts';
import { isUnsaved } from './unsaved.ts';

/** The source of a file, or of a range in it. */
export function fileSource(uri: vscode.Uri, range?: vscode.Range): ContextSource {
  const label = relativePath(uri);
  const lines = range === undefined ? '' : `:${range.start.line}:${range.end.line}`;
  return {
    key: `${uri.toString()}${lines}`,
    label,
    icon: range === undefined ? 'file-code' : 'selection',
    isUnsaved: () => isUnsaved(uri),
    read: async () => ({
      attachments: [await (range === undefined ? attachWhole(uri) : attachFile(uri, () => range))],
    }),
  };
}
