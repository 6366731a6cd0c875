import * as vscode from 'vscode';
import { describeLayer } from '../../../platform/messages/describePolicy.ts';
import { describeError } from '../../../platform/messages/errors/describeError.ts';
import type { ToolsOff } from '../../../platform/settings/toolsEnabled.ts';

const t = vscode.l10n.t;

/** Returns the reason why the user cannot turn tools on here, or an empty string if they can. */
export function whyLocked(off: ToolsOff | null): string {
  switch (off?.by) {
    case 'policy':
      return describeError(off.error, { canRetry: false, canContinue: false })?.title ?? '';
    case 'invalid':
      return t('Off until {0} in the {1} settings is a list of names.', 'svc.tools.disabled', describeLayer(off.layer));
    case 'layer':
      return off.layer.layer === 'user' ? '' : t('Turned off in the {0} settings.', describeLayer(off.layer));
    case undefined:
      return '';
  }
}
