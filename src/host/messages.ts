import * as vscode from 'vscode';
import { asText } from './asText.ts';

type Show = typeof vscode.window.showInformationMessage;
type Way = 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage';

/** A message's own words hold no icon and no link, so all of it is text: see asText(). */
function showing(way: Way): Show {
  const show = (message: string, ...rest: readonly unknown[]): unknown =>
    (vscode.window[way] as (message: string, ...rest: readonly unknown[]) => unknown)(
      asText(message),
      ...rest.map(withTextDetail),
    );
  return show as Show;
}

function withTextDetail(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || !('detail' in part) || typeof part.detail !== 'string') return part;
  return { ...part, detail: asText(part.detail) };
}

/** The only ways to VS Code's messages: they show what they are given as text. */
export const showInformation = showing('showInformationMessage');
export const showWarning = showing('showWarningMessage');
export const showError = showing('showErrorMessage');
