import * as vscode from 'vscode';
import { asText } from '../../../platform/messages/asText.ts';
import { describeAllowed } from '../../../platform/messages/describeAllowed.ts';
import { describeLayer, describeProblem } from '../../../platform/messages/describePolicy.ts';
import { type ComplianceField, compliance } from '../../../policy/compliance/compliance.ts';
import type { ComplianceState, Effect } from '../../../policy/compliance/complianceState.ts';
import type { ResolvedHeader } from '../../../policy/compliance/headers.ts';
import type { LayerRef, PolicyProblem } from '../../../policy/requestPolicy.ts';

const t = vscode.l10n.t;

/** The text of a list entry. */
export type RowText = Required<Pick<vscode.QuickPickItem, 'label' | 'description' | 'detail'>>;

/**
 * Returns the title of a setting, derived from its ID as in VS Code's settings editor; translated if there is a translation.
 */
export function settingTitle(field: ComplianceField): string {
  const titles: Readonly<Partial<Record<ComplianceField, string>>> = {
    securityLevel: t('Security Level'),
    dataResidency: t('Data Residency'),
    audit: t('Audit'),
    zeroRetention: t('Zero Retention'),
    frameworks: t('Frameworks'),
  };
  return titles[field] ?? titleOf(compliance[field].setting);
}

function titleOf(setting: string): string {
  const name = setting.split('.').at(-1) ?? '';
  return name.replace(/^[a-z]/, (first) => first.toUpperCase()).replace(/[a-z](?=[A-Z])/g, '$& ');
}

/** Returns the list entry of a setting: its value, the scopes that set it, and the header that is sent for it. */
export function describeRow(state: ComplianceState): RowText {
  const { field, header, problems } = state;
  const name = compliance[field].header;
  const found = problems.find((problem) => problem.found.some(isSet))?.found.filter(isSet);
  if (problems.length > 0) {
    return row(
      `${settingTitle(field)}: ${found?.map(({ value }) => value).join(', ') ?? t('Not set')}`,
      setBy(found ?? []),
      t('Nothing is sent: {0}', problems.map(describeProblem).join(' ')),
    );
  }
  if (header === null) return row(`${settingTitle(field)}: ${t('Not set')}`, '', t('{0} is not sent', name));
  return row(`${settingTitle(field)}: ${valueWords(header.value)}`, setBy(header.setBy), sentWords(header));
}

/** Formats a header value as the settings editor shows it. */
export function valueWords(value: string): string {
  if (value === '') return t('Not set');
  if (value === 'true') return t('On');
  return value === 'false' ? t('Off') : value.replaceAll(',', ', ');
}

/** Describes the effect that a value would have on requests if a scope set it; empty if the value simply applies. */
export function describeEffect({ state, applies, forbidden }: Effect): Partial<Omit<RowText, 'label'>> {
  if (forbidden !== null) return { description: whyForbidden(forbidden) };
  const [problem] = state.problems;
  if (problem !== undefined) {
    return { description: t('Blocks every request'), detail: asText(describeProblem(problem)) };
  }
  if (applies || state.header === null) return {};
  const { value, setBy: scopes } = state.header;
  return { description: asText(t('No effect: {0} applies, {1}', valueWords(value), setBy(scopes))) };
}

function whyForbidden({ header, problems: [problem] }: ComplianceState): string {
  return header === null && problem !== undefined
    ? t('Your administrator allows {0}', describeAllowed(problem.allowed))
    : t('Your administrator requires {0}', valueWords(header?.value ?? ''));
}

function row(label: string, description: string, detail: string): RowText {
  return { label: asText(label), description: asText(description), detail: asText(detail) };
}

function sentWords({ name, value, overruled }: ResolvedHeader): string {
  const sent = t('Sent as {0}: {1}', name, value);
  if (overruled.length === 0) return sent;
  const weaker = overruled.map((layer) => t('{0} set {1}', describeLayer(layer), valueWords(layer.asked))).join(', ');
  return `${sent}. ${t('The strictest scope applies ({0}).', weaker)}`;
}

/** Returns which scopes set a value, or an empty string if no scope is given. */
export function setBy(scopes: readonly LayerRef[]): string {
  return scopes.length === 0 ? '' : t('set by {0}', scopes.map(describeLayer).join(', '));
}

/** Whether a scope set the value. If no scope set one, a problem lists the administrator with the value `null`. */
function isSet({ value }: PolicyProblem['found'][number]): boolean {
  return value !== 'null';
}
