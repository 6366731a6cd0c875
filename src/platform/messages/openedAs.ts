import * as vscode from 'vscode';
import { type LinkTarget, linkTarget } from '../../protocol/linkTarget.ts';

/**
 * Returns the target that VS Code opens for a link, or null if it is not a link or VS Code would open another target. VS Code
 * decodes a whole URI and encodes it again with fewer characters: https://evil%2F@good/ would become
 * https://evil/@good/ (https://github.com/microsoft/vscode/issues/85930).
 */
export function openedAs(link: string): (LinkTarget & { readonly uri: vscode.Uri }) | null {
  const asked = linkTarget(link);
  if (asked === undefined) return null;
  const uri = vscode.Uri.parse(asked.href, true);
  const made = linkTarget(encodeURI(uri.toString(true)));
  return made === undefined || made.place !== asked.place ? null : { ...made, uri };
}
