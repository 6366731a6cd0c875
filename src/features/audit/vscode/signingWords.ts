import * as vscode from 'vscode';
import { describeNumber } from '../../../platform/messages/describeNumber.ts';

const t = vscode.l10n.t;

/** The lines of this window that are not signed yet. */
export interface Signing {
  readonly unsigned: number;
  /** `impossible`: this build of VS Code cannot sign. */
  readonly state: 'signing' | 'failed' | 'impossible';
}

/** Returns a sentence about unsigned lines, or an empty string if everything is signed. */
export function unsignedWords({ unsigned, state }: Signing): string {
  switch (state) {
    case 'impossible':
      return t('This build of VS Code cannot sign with Ed25519: the log continues, but is not signed.');
    case 'failed':
      return t(
        'Signing failed and is tried again. Lines of this window that are not signed yet: {0}.',
        describeNumber(unsigned),
      );
    case 'signing':
      return unsigned === 0
        ? ''
        : t(
            'Lines of this window that are not signed yet: {0}. They are signed within 5 minutes.',
            describeNumber(unsigned),
          );
  }
}

export function rolledBackWords(): string {
  return t(
    'The ledger of the audit log was changed, or put back to an earlier state, outside of Svc Coder. Its key is not used again. A new ledger was started. Export the evidence, and tell the people who are responsible for it.',
  );
}
