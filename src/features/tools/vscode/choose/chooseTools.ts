import * as vscode from 'vscode';
import { asText } from '../../../../platform/messages/asText.ts';
import type { Outcomes } from '../../../../platform/messages/outcomes.ts';
import { type Failure, notAsked } from '../../../../platform/messages/withErrorReporting.ts';
import type { RequestContextReader } from '../../../../platform/settings/requestContextReader.ts';
import { writeSetting } from '../../../../platform/settings/writeSetting.ts';
import type { Session } from '../../../../session/session.ts';
import { offeredTools } from '../otherTools.ts';
import { ToolChoice } from './toolChoice.ts';
import { toolFacts } from './toolFacts.ts';
import { type ToolItem, toolItems, toolTitle } from './toolItems.ts';

const t = vscode.l10n.t;

/** The time in milliseconds between two checks of the tools while the list is open, because VS Code has no event for them. */
const lookMs = 1_000;

type Reader = Pick<RequestContextReader, 'requireFeature' | 'toolRules' | 'onDidChange'>;
type Item = vscode.QuickPickItem & Pick<ToolItem, 'id'>;

/** The tools that the model may call now. */
export interface ChosenTools {
  readonly ok: true;
  readonly tools: readonly string[];
}

/** Lets the user select the tools that the model may call, and writes what they changed into their own settings. */
export async function chooseTools({
  contextReader,
  session,
  outcomes,
}: {
  readonly contextReader: RequestContextReader;
  readonly session: Pick<Session, 'mode'>;
  readonly outcomes: Outcomes;
}): Promise<ChosenTools | Failure> {
  const choice = new ToolChoice(toolFacts(contextReader));
  if (!(await isAccepted(choice, contextReader))) return notAsked();
  // The settings may have changed since the list was last drawn, so only the user's own changes are written.
  choice.update(toolFacts(contextReader));
  const { changes } = choice;
  for (const { key, value } of changes) await writeSetting(key, value, vscode.ConfigurationTarget.Global);
  const tools = offeredTools(contextReader, session.mode).map(({ name }) => name);
  const turnedOn = changes.some(({ key, value }) => key === 'svc.tools.enabled' && value === true);
  // The settings of a remote machine may take precedence over the written ones.
  if (turnedOn && tools.length === 0) outcomes.info(t('Tools are still off. Other settings turn them off.'));
  return { ok: true, tools };
}

/** Shows the list until the user accepts or cancels it. */
async function isAccepted(choice: ToolChoice, contextReader: Reader): Promise<boolean> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.placeholder = t('Select the tools that the model may call');
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.keepScrollPosition = true;
  let shown = '';
  let seen = '';
  const draw = (): void => {
    const items = toolItems(choice);
    seen = JSON.stringify(items);
    pick.title = toolTitle(choice);
    const words = JSON.stringify(items.map(({ isChecked: _, ...item }) => item));
    if (words !== shown) {
      const active = new Set(pick.activeItems.map(({ id }) => id));
      pick.items = items.map(itemOf);
      pick.activeItems = pick.items.filter(({ id }) => active.has(id));
    }
    shown = words;
    const checked = new Set(items.filter(({ isChecked }) => isChecked).map(({ id }) => id));
    // This is always set: the list must show what will be written, even if a click and a change of the settings
    // crossed.
    pick.selectedItems = pick.items.filter(({ id }) => checked.has(id));
  };
  const look = (): void => {
    choice.update(toolFacts(contextReader));
    // Drawing the list again would lose a click that VS Code has not reported yet.
    if (JSON.stringify(toolItems(choice)) !== seen) draw();
  };
  const timer = setInterval(() => {
    if (choice.isOutdated(vscode.lm.tools)) look();
  }, lookMs);
  const listening = contextReader.onDidChange(look);
  draw();
  const accepted = new Promise<boolean>((resolve) => {
    pick.onDidAccept(() => resolve(true));
    pick.onDidHide(() => resolve(false));
  });
  pick.onDidChangeSelection((selected) => {
    choice.select(new Set(selected.map(({ id }) => id)));
    draw();
  });
  pick.show();
  try {
    return await accepted;
  } finally {
    clearInterval(timer);
    listening.dispose();
    pick.dispose();
  }
}

function itemOf({ id, label, isSeparator, isLocked, description, warning, detail }: ToolItem): Item {
  const first = warning === undefined ? [] : [`$(warning) ${asText(warning)}`];
  const second = detail === undefined ? [] : [asText(detail)];
  return {
    id,
    label: `${isLocked ? '$(lock) ' : ''}${asText(label)}`,
    kind: isSeparator ? vscode.QuickPickItemKind.Separator : vscode.QuickPickItemKind.Default,
    ...(description === undefined ? {} : { description: asText(description) }),
    ...(first.length + second.length === 0 ? {} : { detail: [...first, ...second].join(' ') }),
  };
}
