import * as vscode from 'vscode';
import type { SizeLimits } from '../../../../gate/limits.ts';
import { describeBytes } from '../../../../platform/messages/describeNumber.ts';
import { type MessageLimit, maxText } from '../../../../protocol/panelEvents.ts';

const t = vscode.l10n.t;

/**
 * The limit at which the page reports that a text is too large. Quotes and attachments add to the size; sending checks
 * the total.
 */
export function messageLimit({ requestBytes, fileBytes }: SizeLimits): MessageLimit {
  const bytes = Math.min(requestBytes, maxText);
  const words = t(
    'The limit for a message is {0}. Use the relevant part, or save the text as files of up to {1} and attach those you need.',
    describeBytes(bytes),
    describeBytes(fileBytes),
  );
  return { bytes, words };
}
