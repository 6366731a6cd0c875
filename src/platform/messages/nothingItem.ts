import type * as vscode from 'vscode';
import { asText } from './asText.ts';

/** What a list shows that has nothing else to show: what the user can do, and why there is nothing. */
export function nothingItem(icon: string, label: string, why: string): vscode.QuickPickItem {
  return { label: `$(${icon}) ${label}`, detail: asText(why), alwaysShow: true };
}
