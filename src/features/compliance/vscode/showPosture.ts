import * as vscode from 'vscode';
import type { RequestContext } from '../../../gate/admit.ts';
import type { ReadOnlyDocuments } from '../../../platform/confirm/readOnlyDocument.ts';
import type { ApiKeyStore } from '../../../platform/keys/apiKeyStore.ts';
import { asText } from '../../../platform/messages/asText.ts';
import { describeDeliveryFault } from '../../../platform/messages/describeManaged.ts';
import { describeProblem } from '../../../platform/messages/describePolicy.ts';
import type { ManagedPolicyFile } from '../../../platform/settings/managed.ts';
import type { RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import { compliance, complianceFields } from '../../../policy/compliance/compliance.ts';
import { complianceState } from '../../../policy/compliance/complianceState.ts';
import type { Posture } from '../../../protocol/posture.ts';
import type { NextRequest } from '../../context/vscode/nextRequest.ts';
import { describeRow } from './describeCompliance.ts';
import { describeKey } from './describeKey.ts';
import { managedText } from './managedText.ts';

const t = vscode.l10n.t;

interface PostureServices {
  readonly contextReader: RequestContextReader;
  readonly next: NextRequest;
  readonly keys: ApiKeyStore;
}

interface Item extends vscode.QuickPickItem {
  /** The setting that is changed if the user chooses this row. */
  readonly setting?: string;
  /** The search text for the settings editor, which other items open. */
  readonly search?: string;
  /** Whether the item shows the managed policy. */
  readonly isPolicy?: boolean;
}

const changeButton: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('edit'), tooltip: t('Change') };
const openButton: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('gear'), tooltip: t('Open Settings') };

/**
 * Lists the effect of each compliance setting on the next request, and who set it. The user can choose a setting to change it.
 * Returns the posture immediately, because the list is for the user, and calling code must not wait for it.
 */
export async function showPosture(services: PostureServices): Promise<Posture> {
  showList(services);
  return services.contextReader.read(services.next.about).posture;
}

function showList(services: PostureServices, active?: string): void {
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = t('Compliance settings of the next request');
  picker.placeholder = t('Select a setting to change it');
  picker.matchOnDetail = true;
  let shown = '';
  const show = (wanted: string | undefined): void => {
    const items = itemsOf(services);
    // Setting the same items again would move the focus and the buttons below the mouse.
    if (JSON.stringify(items) === shown) return;
    shown = JSON.stringify(items);
    picker.items = items;
    picker.activeItems = picker.items.filter(({ setting }) => setting !== undefined && setting === wanted);
  };
  const listening = services.contextReader.onDidChange(() => show(picker.activeItems[0]?.setting));
  picker.onDidTriggerItemButton(({ item, button }) => choose(services, picker, item, button === openButton));
  picker.onDidAccept(() => choose(services, picker, picker.selectedItems[0], false));
  picker.onDidHide(() => {
    listening.dispose();
    picker.dispose();
  });
  show(active);
  picker.show();
}

/** Changes the setting of a row, and then lists the settings again, or opens the settings editor. */
async function choose(
  services: PostureServices,
  picker: Pick<vscode.QuickPick<Item>, 'hide'>,
  item: Item | undefined,
  isOpened: boolean,
): Promise<void> {
  if (item === undefined) return;
  picker.hide();
  const { setting, search, isPolicy } = item;
  if (isPolicy) {
    await vscode.commands.executeCommand('svc.showPolicy');
    return;
  }
  if (setting === undefined || isOpened) {
    await vscode.commands.executeCommand('workbench.action.openSettings', setting ?? search);
    return;
  }
  const { ok } = await vscode.commands.executeCommand<{ readonly ok: boolean }>('svc.changeComplianceSetting', {
    setting,
  });
  if (ok) showList(services, setting);
}

/** Returns the problems that no row states, then the rows. */
function itemsOf({ contextReader, next, keys }: PostureServices): readonly Item[] {
  const sources = contextReader.constraintSources(next.about.folders);
  const states = complianceFields.map((field) => complianceState(field, sources));
  const stated = new Set(states.flatMap(({ problems }) => problems.map(describeProblem)));
  const { problems, isPending = false } = contextReader.read(next.about).posture;
  const otherProblems = problems.filter((problem) => !stated.has(problem));
  return [
    ...otherProblems.map((problem) => ({
      label: isPending ? t('The managed policy has not been fetched yet') : t('Nothing is sent'),
      iconPath: new vscode.ThemeIcon(isPending ? 'info' : 'error'),
      detail: asText(problem),
      search: '@ext:svc.svc-coder',
    })),
    ...faultItems(contextReader.contextFor(next.about)),
    ...states.map((state) => ({
      ...describeRow(state),
      iconPath: new vscode.ThemeIcon(iconOf(state)),
      setting: compliance[state.field].setting,
      buttons: [changeButton, openButton],
    })),
    ...keyItems(keys, contextReader.contextFor(next.about)),
    { label: t('All Compliance Settings'), iconPath: new vscode.ThemeIcon('gear'), search: 'svc.compliance' },
  ];
}

/** Returns the item about a managed policy that was not fetched, accepted or stored, while one applies. */
function faultItems({ managed }: RequestContext): readonly Item[] {
  const fault = managed.state === 'in-force' ? managed.delivered?.fault : undefined;
  if (fault === undefined || fault === null) return [];
  const detail = asText(describeDeliveryFault(fault));
  return [{ label: t('Managed Policy'), detail, iconPath: new vscode.ThemeIcon('info'), isPolicy: true }];
}

/** Returns the item about the source of the API key; none while there is no address or no key. */
function keyItems(keys: ApiKeyStore, { connection }: RequestContext): readonly Item[] {
  if (!connection.ok || !keys.sources.has(connection.connection)) return [];
  const words = describeKey(keys.sources.of(connection.connection), keys.subjectOf(connection.connection));
  return [{ ...words, iconPath: new vscode.ThemeIcon('key'), search: 'svc.credentialHelper' }];
}

function iconOf({ header, problems }: ReturnType<typeof complianceState>): string {
  if (problems.length > 0) return 'error';
  if (header === null) return 'circle-outline';
  return header.setBy.some(({ layer }) => layer === 'managed') ? 'lock' : 'shield';
}

/** Shows the administrator's policy as it currently applies, or why it does not. */
export async function showPolicy({
  managed,
  documents,
}: {
  readonly managed: ManagedPolicyFile;
  readonly documents: ReadOnlyDocuments;
}): Promise<{ readonly ok: true; readonly state: string }> {
  await managed.read();
  await managed.refresh();
  await documents.show(`${t('Managed Policy')}.txt`, managedText(managed.state, managed.path));
  return { ok: true, state: managed.state.state };
}
