import * as vscode from 'vscode';
import { foreignText } from '../../../platform/messages/foreignText.ts';
import type { RequestAbout, RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import { readToolSwitches, userTools, whyChangesOff } from '../../../platform/settings/toolsEnabled.ts';
import type { Mode } from '../../../protocol/mode.ts';
import type { ToolsView } from '../../../protocol/panelEvents.ts';
import type { LearnedForms } from '../../../send/form/learnedForms.ts';
import { withoutToolsWords } from './describeTool.ts';
import { whyLocked } from './describeTools.ts';
import { canBeOffered } from './givenTool.ts';
import { ownToolsIn } from './otherTools.ts';
import { ownTools } from './own/ownTools.ts';

const t = vscode.l10n.t;

/**
 * The tools of the next request, for the panel. Counts the selected tools, because third-party tools appear and
 * disappear without an event.
 */
export function viewTools(
  contextReader: RequestContextReader,
  learned: LearnedForms,
  about: RequestAbout,
  mode: Mode,
): ToolsView {
  const { off, disabled } = readToolSwitches(contextReader);
  const context = contextReader.requestContext(about);
  const names = new Set([
    ...ownToolsIn(mode, contextReader).keys(),
    ...(mode === 'plan' ? [] : userTools('svc.tools.allowed').filter((name) => canBeOffered(name, ownTools))),
  ]);
  const offered = off === null && disabled.ok ? [...names].filter((name) => !disabled.names.has(name)) : [];
  const words = toolsWords({
    count: offered.length,
    reason: whyLocked(off),
    declinedBy:
      learned.known(context).withoutTools === 'all' && context.options.ok ? context.options.options.model : '',
  });
  return whyChangesOff(contextReader) === null ? { ...words, proposesAll: true } : words;
}

interface ToolsState {
  readonly count: number;
  /** The reason why the user cannot turn tools on; empty if they can. */
  readonly reason: string;
  /** The model, if it does not accept tools; otherwise empty. */
  readonly declinedBy: string;
}

export function toolsWords({ count, reason, declinedBy }: ToolsState): ToolsView {
  if (count === 0) return { count, label: t('Tools: off'), reason };
  if (declinedBy === '') return { count, label: t('Tools: {0} on', count), reason: '' };
  return { count: 0, label: t('Tools: not supported'), reason: withoutToolsWords(foreignText(declinedBy, 100)) };
}
