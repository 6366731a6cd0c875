import * as vscode from 'vscode';
import type { SizeLimits } from '../../gate/limits.ts';
import { type MessageLimit, maxText } from '../../protocol/longText.ts';
import { describeBytes } from '../messages/describeNumber.ts';

const t = vscode.l10n.t;

/**
 * The limit at which the page reports that a text is too large. Quotes and attachments add to the size; sending checks
 * the total.
 */
export function messageLimit({ requestBytes, fileBytes }: SizeLimits): MessageLimit {
  const bytes = Math.min(requestBytes, maxText);
  const words = t(
    'This text is too large: a message may have {0}. Use the part that matters, or save the text as files of at most {1} and attach those that matter.',
    describeBytes(bytes),
    describeBytes(fileBytes),
  );
  return { bytes, words };
}
