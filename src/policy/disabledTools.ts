import { readValue } from './readValue.ts';
import type { Layer, LayerRef } from './requestPolicy.ts';

const key = 'svc.tools.disabled';

export type DisabledTools =
  /** The names, each with the outermost layer that disables it. */
  | { readonly ok: true; readonly names: ReadonlyMap<string, LayerRef> }
  /** The layer whose value is invalid, so that it is unknown which tools it disables. */
  | { readonly ok: false; readonly layer: LayerRef };

/** The tools that at least one layer disables. `layers` run from the outermost to the innermost. */
export function disabledTools(layers: readonly Layer[]): DisabledTools {
  const names = new Map<string, LayerRef>();
  for (const { values, ...layer } of layers) {
    const read = readValue(key, values[key]);
    if (read.is === 'invalid') return { ok: false, layer };
    if (read.is === 'unset') continue;
    for (const name of read.value as readonly string[]) if (!names.has(name)) names.set(name, layer);
  }
  return { ok: true, names };
}
