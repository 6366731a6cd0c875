import { readValue } from './readValue.ts';
import type { Layer, LayerRef } from './requestPolicy.ts';
import { settings, toolApprovals } from './settings.ts';

const key = 'svc.tools.approval';

/** `reads`: the extension's own reading tools need no approval. `each`: an approval is for one call only. */
export type ToolApproval = (typeof toolApprovals)[number];

type ToolApprovalResolution =
  | { readonly ok: true; readonly approval: ToolApproval }
  /** The layer whose value is invalid. */
  | { readonly ok: false; readonly layer: LayerRef };

/**
 * Returns the strictest approval that a layer or the managed policy asks for. If the user has set no value, the default is used as
 * the user's own, so that no other layer can be less strict. `layers` run from the user's to the innermost.
 */
export function resolveToolApproval(layers: readonly Layer[], managed?: ToolApproval): ToolApprovalResolution {
  const asked: unknown[] = [managed, layers[0]?.values[key] ?? settings[key].default];
  for (const { values, ...layer } of layers) {
    const read = readValue(key, values[key]);
    if (read.is === 'invalid') return { ok: false, layer };
    if (read.is === 'value') asked.push(read.value);
  }
  return { ok: true, approval: strictestApproval(...asked) };
}

/** Returns the strictest of these values, and ignores all other values. */
export function strictestApproval(...asked: readonly unknown[]): ToolApproval {
  return toolApprovals.findLast((approval) => asked.includes(approval)) ?? 'each';
}
