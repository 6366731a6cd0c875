import * as vscode from 'vscode';
import { describeLayer } from '../../../../platform/messages/describePolicy.ts';
import type { RequestContextReader } from '../../../../platform/settings/requestContextReader.ts';
import { allFolders, readLayers, userValue } from '../../../../platform/settings/settingsReader.ts';
import { readToolSwitches, userTools } from '../../../../platform/settings/toolsEnabled.ts';
import { disabledTools } from '../../../../policy/disabledTools.ts';
import type { ToolRules } from '../../../../policy/managed/toolRules.ts';
import { whyLocked } from '../describeTools.ts';
import { ownToolsIn } from '../otherTools.ts';
import { ownTools } from '../own/ownTools.ts';
import { describeRefusal, otherRefusal, ownRefusal } from '../ruledTools.ts';
import { presentTools } from './presentTools.ts';
import type { PresentTool, ToolFacts } from './toolChoice.ts';

const t = vscode.l10n.t;

/** Reads the current settings of the tools, and the tools that exist. */
export function toolFacts(contextReader: Pick<RequestContextReader, 'requireFeature' | 'toolRules'>): ToolFacts {
  const [, ...inner] = readLayers(allFolders());
  const elsewhere = disabledTools(inner);
  const present = presentTools();
  return {
    locked: whyLocked(readToolSwitches(contextReader).off),
    isEnabled: userValue('svc.tools.enabled') === true,
    own: ownToolsIn('change', contextReader),
    present,
    allowed: userTools('svc.tools.allowed'),
    disabled: userTools('svc.tools.disabled'),
    disabledElsewhere: new Map([
      ...[...(elsewhere.ok ? elsewhere.names : [])].map(
        ([name, layer]) => [name, t('Turned off in the {0} settings.', describeLayer(layer))] as const,
      ),
      ...forbiddenTools(contextReader.toolRules, present),
    ]),
  };
}

/** The tools that the administrator's rules forbid, each with the reason for display. */
function forbiddenTools(
  rules: ToolRules,
  present: readonly Pick<PresentTool, 'name'>[],
): readonly (readonly [name: string, reason: string])[] {
  const refusals = [
    ...[...ownTools.keys()].map((name) => [name, ownRefusal(rules, name)] as const),
    ...present.filter(({ name }) => !ownTools.has(name)).map(({ name }) => [name, otherRefusal(rules, name)] as const),
  ];
  return refusals.flatMap(([name, refusal]) => (refusal === null ? [] : [[name, describeRefusal(refusal)] as const]));
}
