import * as vscode from 'vscode';
import { type FlagWords, headerLabel, shortHeaderLabel } from '../../policy/compliance/headerLabel.ts';
import { resolvedHeaders } from '../../policy/compliance/headers.ts';
import type { LayerRef, PolicyProblem, RequestPolicy } from '../../policy/requestPolicy.ts';
import type { Posture, PostureHeader } from '../../protocol/posture.ts';
import { describeAllowed } from './describeAllowed.ts';

const t = vscode.l10n.t;

export function describePosture(policy: RequestPolicy): Posture {
  const headers: PostureHeader[] = resolvedHeaders(policy).map(({ name, value, key, setBy, overruled }) => ({
    name,
    value,
    setting: key,
    source: setBy.map(describeLayer).join(', '),
    overruled: overruled.map((layer) => t('{0} set {1}', describeLayer(layer), layer.asked)).join(', '),
    isManaged: setBy.some(({ layer }) => layer === 'managed'),
  }));
  return { label: postureLabel(headers), short: shortHeaderLabel(headers, flagWords()), headers, problems: [] };
}

/** Returns the headers as the short labels of the posture strip, such as `maximum · eu-west · audit`. */
export function postureLabel(headers: readonly { readonly name: string; readonly value: string }[]): string {
  return headerLabel(headers, flagWords());
}

export function flagWords(): FlagWords {
  return { audit: t('audit'), zeroRetention: t('zero retention') };
}

export function describeLayer({ layer, name }: LayerRef): string {
  switch (layer) {
    case 'managed':
      return t('your administrator');
    case 'user':
      return t('user');
    case 'remote':
      return t('remote machine');
    case 'workspace':
      return t('workspace');
    case 'folder':
      return t('folder {0}', name ?? '');
  }
}

/** Describes a problem in one sentence: the key, the layers, their values and the allowed values. */
export function describeProblem({
  reason,
  key,
  found,
  allowed: data,
  prompt,
  isOfConversation,
}: PolicyProblem): string {
  const allowed = describeAllowed(data);
  if (isOfConversation) {
    return t(
      'The model {0} that you selected for this conversation is not allowed. Allowed: {1}.',
      found[0]?.value ?? '',
      allowed,
    );
  }
  if (prompt !== undefined) {
    return t('The prompt /{0} requests the model {1}. Allowed: {2}.', prompt, found[0]?.value ?? '', allowed);
  }
  const where = found.map(foundWords).join(', ');
  switch (reason) {
    case 'invalid':
      return t('{0} is {1}. Allowed: {2}.', key, where, allowed);
    case 'conflict':
      return t('{0} is set to different values: {1}. Only one value can apply.', key, where);
    case 'not-managed':
      return t(
        '{0} is {1}; your administrator allows {2}.',
        key,
        found.every(({ layer }) => layer === 'managed') ? (found[0]?.value ?? '') : where,
        allowed,
      );
    case 'unknown-connection':
      return t('{0} is {1}, which is not in svc.connections of your user settings. Allowed: {2}.', key, where, allowed);
  }
}

function foundWords(item: PolicyProblem['found'][number]): string {
  return item.layer === 'managed'
    ? t('{0} set by your administrator', item.value)
    : t('{0} in {1} settings', item.value, describeLayer(item));
}
