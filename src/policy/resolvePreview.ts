import { allowedIn } from './allowed.ts';
import { readValue, showValue } from './readValue.ts';
import type { Layer, PolicyProblem } from './requestPolicy.ts';

export type PreviewResolution =
  | { readonly ok: true; readonly isAsked: boolean }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };

const key = 'svc.gate.preview';

/** Whether the user reviews each request before it is sent: true if at least one layer asks for it. */
export function resolvePreview(layers: readonly Layer[]): PreviewResolution {
  const problems: PolicyProblem[] = [];
  let isAsked = false;
  for (const { layer, name, values } of layers) {
    const read = readValue(key, values[key]);
    if (read.is === 'value') isAsked ||= read.value === true;
    if (read.is === 'invalid') {
      const found = [{ layer, ...(name === undefined ? {} : { name }), value: showValue(values[key]) }];
      problems.push({ reason: 'invalid', key, found, allowed: allowedIn(key) });
    }
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, isAsked };
}
