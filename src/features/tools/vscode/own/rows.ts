import type * as vscode from 'vscode';
import { type Content, joinOf } from '../../../../gate/content.ts';
import { attachmentOf } from '../../../../platform/sources/attach.ts';
import { joinOwn, type OwnText, ownText } from '../../../../session/tools/ownText.ts';
import type { ToolOutput } from '../../../../session/tools/toolStep.ts';

/** A line of a result, and the file from which it comes. */
export interface Row {
  readonly uri: vscode.Uri;
  readonly content: Content;
}

/** Combines rows into one attachment, which may be sent only if all the files that it covers may be sent. */
export function rowsOf(label: string, rows: readonly Row[], limit: number, notes: readonly OwnText[]): ToolOutput {
  const shown = rows.slice(0, limit);
  const more = rows.length - shown.length;
  const texts = [...notes, ...(more === 0 ? [] : [ownText`[cut: ${more} more]`])];
  const [first] = shown;
  if (first === undefined) return { text: joinOwn([ownText`Nothing was found.`, ...texts], '\n'), attachments: [] };
  const content = joinOf(shown.flatMap((row, index) => (index === 0 ? [row.content] : ['\n', row.content])));
  const about = { label, uri: first.uri, languageId: 'plaintext' };
  return { text: joinOwn(texts, '\n'), attachments: [attachmentOf({ ok: true, content }, about)] };
}
