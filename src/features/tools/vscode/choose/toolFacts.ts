import * as vscode from 'vscode';
import { describeLayer } from '../../../../platform/messages/describePolicy.ts';
import type { RequestContextReader } from '../../../../platform/settings/requestContextReader.ts';
import { allFolders, readLayers, userValue } from '../../../../platform/settings/settingsReader.ts';
import { readToolSwitches, userTools } from '../../../../platform/settings/toolsEnabled.ts';
import { disabledTools } from '../../../../policy/disabledTools.ts';
import { whyLocked } from '../describeTools.ts';
import { ownTools } from '../own/ownTools.ts';
import { presentTools } from './presentTools.ts';
import type { ToolFacts } from './toolChoice.ts';

const t = vscode.l10n.t;

/** The settings of the tools, and the tools that exist, now. */
export function toolFacts(contextReader: Pick<RequestContextReader, 'requireFeature'>): ToolFacts {
  const [, ...inner] = readLayers(allFolders());
  const elsewhere = disabledTools(inner);
  return {
    locked: whyLocked(readToolSwitches(contextReader).off),
    isEnabled: userValue('svc.tools.enabled') === true,
    own: ownTools,
    present: presentTools(),
    allowed: userTools('svc.tools.allowed'),
    disabled: userTools('svc.tools.disabled'),
    disabledElsewhere: new Map(
      elsewhere.ok
        ? [...elsewhere.names].map(([name, layer]) => [
            name,
            t('Turned off in the {0} settings.', describeLayer(layer)),
          ])
        : [],
    ),
  };
}
