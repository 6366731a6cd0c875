import * as vscode from 'vscode';
import { describeLayer } from '../../../platform/messages/describePolicy.ts';
import { describeError } from '../../../platform/messages/errors/describeError.ts';
import type { ToolsOff } from '../../../platform/settings/toolsEnabled.ts';
import { toolApprovals } from '../../../policy/settings.ts';

const t = vscode.l10n.t;

/** Returns the reason why the user cannot turn tools on here, or an empty string if they can. */
export function whyLocked(off: ToolsOff | null): string {
  switch (off?.by) {
    case 'policy':
      return describeError(off.error, { canRetry: false, canContinue: false })?.title ?? '';
    case 'invalid':
      return off.key === 'svc.tools.disabled'
        ? t('Off until {0} in the {1} settings is a list of names.', off.key, describeLayer(off.layer))
        : t(
            'Off until {0} in the {1} settings is one of: {2}',
            off.key,
            describeLayer(off.layer),
            toolApprovals.join(', '),
          );
    case 'layer':
      return off.layer.layer === 'user' ? '' : t('Turned off in the {0} settings.', describeLayer(off.layer));
    case undefined:
      return '';
  }
}
