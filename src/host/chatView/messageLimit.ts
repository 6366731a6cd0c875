import * as vscode from 'vscode';
import type { SizeLimits } from '../../gate/limits.ts';
import { maxText } from '../../protocol/longText.ts';
import type { MessageLimit } from '../../protocol/messages.ts';
import { describeBytes } from '../messages/describeNumber.ts';

const t = vscode.l10n.t;

/** The page says it as soon as a text is too large. What is quoted or attached takes more; about that, sending decides. */
export function messageLimit({ requestBytes, fileBytes }: SizeLimits): MessageLimit {
  const bytes = Math.min(requestBytes, maxText);
  const words = t(
    'This text is too large: a message may have {0}. Use the part that matters, or save the text as files of at most {1} and attach those that matter.',
    describeBytes(bytes),
    describeBytes(fileBytes),
  );
  return { bytes, words };
}
