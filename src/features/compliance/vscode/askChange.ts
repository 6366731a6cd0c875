import * as vscode from 'vscode';
import { asText } from '../../../platform/messages/asText.ts';
import { type ComplianceField, type ComplianceRow, compliance } from '../../../policy/compliance/compliance.ts';
import { type ComplianceState, effectOf } from '../../../policy/compliance/complianceState.ts';
import { readValue } from '../../../policy/readValue.ts';
import type { Layer } from '../../../policy/requestPolicy.ts';
import { describeScope, type Scope } from './complianceScopes.ts';
import { describeEffect, describeRow, setBy, settingTitle, valueWords } from './describeCompliance.ts';

const t = vscode.l10n.t;

interface ValueItem extends vscode.QuickPickItem {
  /** The value to write; undefined removes the value. */
  readonly value?: unknown;
  readonly isForbidden?: boolean;
}

/** A value to write; `undefined` removes it. */
interface Answer {
  readonly value: unknown;
}

export async function askField(states: readonly ComplianceState[]): Promise<ComplianceField | undefined> {
  const items = states.map((state) => ({ ...describeRow(state), field: state.field }));
  return (await vscode.window.showQuickPick(items, { title: t('Which compliance setting?') }))?.field;
}

export async function askScope(field: ComplianceField, scopes: readonly Scope[]): Promise<Scope | undefined> {
  const items = scopes.map((scope) => ({ ...describeScope(field, scope), scope }));
  const title = t('{0}: where do you want to change it? (step 1 of 2)', settingTitle(field));
  return (await vscode.window.showQuickPick(items, { title }))?.scope;
}

/**
 * Asks for the value in a scope; each value shows its effect there. Returns `back` if the user wants to choose another
 * scope.
 */
export function askValue(
  field: ComplianceField,
  scope: Scope,
  context: Pick<vscode.ExtensionContext, 'extension'>,
  isSecondStep: boolean,
): Promise<Answer | 'back' | undefined> {
  const { promise, resolve } = Promise.withResolvers<Answer | 'back' | undefined>();
  const { combine, setting } = compliance[field];
  const pick = vscode.window.createQuickPick<ValueItem>();
  const title = `${settingTitle(field)} · ${describeScope(field, scope).label}`;
  pick.title = isSecondStep ? t('{0} (step 2 of 2)', title) : title;
  pick.buttons = isSecondStep ? [vscode.QuickInputButtons.Back] : [];
  const read = readValue(setting, scope.at.values[setting]);
  const current = read.is === 'value' ? read.value : undefined;
  if (combine === 'union') {
    pick.canSelectMany = true;
    pick.placeholder = t('Select nothing to remove the value. The values of all scopes are combined.');
    pick.items = listItems(field, scope);
    pick.selectedItems = pick.items.filter(({ value }) => isListed(current, value));
  } else {
    pick.items = valueItems(field, scope, current, meaningsOf(setting, context));
    pick.activeItems = pick.items.filter((item) => 'value' in item && item.value === current);
  }
  pick.onDidTriggerButton(() => resolve('back'));
  pick.onDidAccept(() => {
    const values = pick.selectedItems.map(({ value }) => value);
    if (combine === 'union') resolve({ value: values.length === 0 ? undefined : values });
    else if (pick.selectedItems.some(({ isForbidden }) => isForbidden !== true)) resolve({ value: values[0] });
  });
  pick.onDidHide(() => resolve(undefined));
  pick.show();
  return promise.finally(() => pick.dispose());
}

/** Returns the allowed values and `Not set`, then the values that the administrator does not allow. */
function valueItems(
  field: ComplianceField,
  { sources, at }: Scope,
  current: unknown,
  meanings: Meanings,
): readonly ValueItem[] {
  const { values }: ComplianceRow = compliance[field];
  const items = [...values, undefined].map((value) => {
    const effect = effectOf(field, sources, at, value);
    const detail = value === undefined ? t('Remove the value from this scope') : meanings.get(value);
    return {
      label: valueWords(String(value ?? '')),
      value,
      isForbidden: effect.forbidden !== null,
      ...(detail === undefined ? {} : { detail }),
      ...describeEffect(effect),
      ...(value === current ? { iconPath: new vscode.ThemeIcon('check') } : {}),
    };
  });
  const forbidden = items.filter(({ isForbidden }) => isForbidden);
  if (forbidden.length === 0) return items;
  const separator = { label: t('Not available'), kind: vscode.QuickPickItemKind.Separator };
  return [...items.filter(({ isForbidden }) => !isForbidden), separator, ...forbidden];
}

/** Returns the items of a list, each with the other scopes that set it. */
function listItems(field: ComplianceField, { sources, at }: Scope): readonly ValueItem[] {
  const { values, setting }: ComplianceRow & { readonly setting: keyof Layer['values'] } = compliance[field];
  return values.map((value) => {
    const otherLayers = sources.layers.filter((layer) => layer !== at && isListed(layer.values[setting], value));
    return { label: String(value), value, description: asText(setBy(otherLayers)) };
  });
}

function isListed(list: unknown, value: unknown): boolean {
  return Array.isArray(list) && list.includes(value);
}

type Meanings = ReadonlyMap<unknown, string>;

interface SettingSchema {
  readonly enum?: readonly unknown[];
  readonly markdownEnumDescriptions?: readonly string[];
}

/** Returns the meanings of the values of a setting: the descriptions in the settings editor, which VS Code has translated. */
function meaningsOf(setting: string, { extension }: Pick<vscode.ExtensionContext, 'extension'>): Meanings {
  const groups: readonly { readonly properties: Readonly<Record<string, SettingSchema>> }[] =
    extension.packageJSON.contributes.configuration;
  const found = groups.find(({ properties }) => setting in properties)?.properties[setting];
  const meanings = found?.markdownEnumDescriptions ?? [];
  return new Map(meanings.map((meaning, index) => [found?.enum?.[index], meaning]));
}
