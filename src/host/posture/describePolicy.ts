import * as vscode from 'vscode';
import { type FlagWords, headerLabel } from '../../policy/headerLabel.ts';
import { resolvedHeaders } from '../../policy/headers.ts';
import type { LayerRef, PolicyProblem, RequestPolicy } from '../../policy/requestPolicy.ts';
import type { Posture, PostureHeader } from '../../protocol/posture.ts';
import { describeAllowed } from '../messages/describeAllowed.ts';

const t = vscode.l10n.t;

export function describePosture(policy: RequestPolicy): Posture {
  const headers: PostureHeader[] = resolvedHeaders(policy).map(({ name, value, key, setBy, overruled }) => ({
    name,
    value,
    setting: key,
    source: setBy.map(describeLayer).join(', '),
    overruled: overruled.map((layer) => t('{0} asked for {1}', describeLayer(layer), layer.asked)).join(', '),
    isManaged: setBy.some(({ layer }) => layer === 'managed'),
  }));
  return { label: postureLabel(headers), headers, problems: [] };
}

/** Headers as the short labels of the posture strip, such as `maximum · eu-west · audit`. */
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

/** One sentence for each problem: key, layers, values, allowed values. */
export function describeProblem({ reason, key, found, allowed: data, prompt }: PolicyProblem): string {
  const allowed = describeAllowed(data);
  if (prompt !== undefined) {
    return t('The prompt /{0} asks for the model {1}. Allowed: {2}.', prompt, found[0]?.value ?? '', allowed);
  }
  const where = found.map((item) => t('{0} in {1} settings', item.value, describeLayer(item))).join(', ');
  switch (reason) {
    case 'invalid':
      return t('{0} is {1}. Allowed: {2}.', key, where, allowed);
    case 'conflict':
      return t('{0} is asked for twice and differently: {1}. Only one can hold.', key, where);
    case 'not-managed':
      return t(
        '{0} is {1}; your administrator allows {2}.',
        key,
        found.every(({ layer }) => layer === 'managed') ? (found[0]?.value ?? '') : where,
        allowed,
      );
    case 'unknown-connection':
      return t(
        '{0} is {1}, which svc.connections in your user settings does not define. Allowed: {2}.',
        key,
        where,
        allowed,
      );
  }
}
