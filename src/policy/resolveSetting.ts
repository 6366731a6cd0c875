import { allowedIn } from './allowed.ts';
import { readValue, showValue } from './readValue.ts';
import type { Layer, PolicyProblem } from './requestPolicy.ts';
import { type SettingKey, settings } from './settings.ts';

type SettingResolution =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: PolicyProblem };

/**
 * Resolves a setting that is not a constraint (a model, an address): the innermost layer that sets it wins; otherwise, the
 * default applies. `layers` run from the outermost to the innermost.
 */
export function resolveSetting(layers: readonly Layer[], key: SettingKey): SettingResolution {
  for (const { layer, name, values } of [...layers].reverse()) {
    const raw = values[key];
    const read = readValue(key, raw);
    if (read.is === 'value') return { ok: true, value: read.value };
    if (read.is === 'invalid') {
      const found = [{ layer, ...(name === undefined ? {} : { name }), value: showValue(raw) }];
      return { ok: false, problem: { reason: 'invalid', key, found, allowed: allowedIn(key) } };
    }
  }
  return { ok: true, value: settings[key].default };
}
