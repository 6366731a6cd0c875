import { type DisabledTools, disabledTools } from '../../policy/disabledTools.ts';
import type { Layer, LayerRef } from '../../policy/requestPolicy.ts';
import { switchedOffBy } from '../../policy/switchedOn.ts';
import { resolveToolApproval, type ToolApproval } from '../../policy/toolApproval.ts';
import type { Mode } from '../../protocol/mode.ts';
import { isServiceError, type ServiceError } from '../../util/errors.ts';
import type { RequestContextReader } from './requestContextReader.ts';
import { allFolders, readLayers, userValue } from './settingsReader.ts';

type Switch = 'svc.tools.enabled' | 'svc.changes.enabled' | 'svc.tools.runTask';

type FeatureReader = Pick<RequestContextReader, 'requireFeature'>;

/** The reason why the model may not call tools. */
export type ToolsOff =
  /** The managed policy disables tools, or cannot be used. */
  | { readonly by: 'policy'; readonly error: ServiceError }
  /** The user has not turned tools on, or another scope turns them off. */
  | { readonly by: 'layer'; readonly layer: LayerRef }
  /** A setting of the tools is invalid in this layer. */
  | {
      readonly by: 'invalid';
      readonly key: 'svc.tools.disabled' | 'svc.tools.approval';
      readonly layer: LayerRef;
    };

/** The switches of the tools, which the managed policy, a workspace or a folder can also set. */
interface ToolSwitches {
  /**
   * The reason why tools are off; null if the model may call tools. A reason that the user cannot change with their own
   * settings comes first.
   */
  readonly off: ToolsOff | null;
  readonly disabled: DisabledTools;
}

/**
 * Reads the switches of the tools. Any workspace or folder can disable all or some tools of the panel, but cannot enable
 * any.
 */
export function readToolSwitches(contextReader: FeatureReader): ToolSwitches {
  const layers = readLayers(allFolders());
  const disabled = disabledTools(layers);
  return { off: whyNotAllowed(contextReader, 'tools') ?? whyOff(layers, 'svc.tools.enabled', disabled), disabled };
}

/**
 * Returns the reason why the tools that propose changes are off, or null if they are on. They also need the other tools to
 * be on.
 */
export function whyChangesOff(contextReader: FeatureReader): ToolsOff | null {
  const layers = readLayers(allFolders());
  return whyNotAllowed(contextReader, 'changes') ?? whyOff(layers, 'svc.changes.enabled', disabledTools(layers));
}

/** Returns the reason why a mode cannot be used, or null if it can. A reason that the user cannot change comes first. */
export function whyModeOff(contextReader: FeatureReader, mode: Mode): ToolsOff | null {
  const reasons = [
    mode === 'ask' ? null : readToolSwitches(contextReader).off,
    mode === 'change' ? whyChangesOff(contextReader) : null,
  ].filter((off) => off !== null);
  return reasons.find((off) => !isUsersChoice(off)) ?? reasons[0] ?? null;
}

/** Whether the user can turn it on with their own settings. */
export function isUsersChoice(off: ToolsOff): boolean {
  return off.by === 'layer' && off.layer.layer === 'user';
}

/** Returns the reason why the tool that runs tasks is off, or null if it is on. It also needs the other tools to be on. */
export function whyTasksOff(contextReader: FeatureReader): ToolsOff | null {
  const layers = readLayers(allFolders());
  return whyNotAllowed(contextReader, 'tasks') ?? whyOff(layers, 'svc.tools.runTask', disabledTools(layers));
}

export function areToolsEnabled(contextReader: FeatureReader): boolean {
  return readToolSwitches(contextReader).off === null;
}

/** Returns how the user allows calls. With an invalid setting, no tool is offered. */
export function toolApproval({ toolRules }: Pick<RequestContextReader, 'toolRules'>): ToolApproval {
  const resolved = resolveToolApproval(readLayers(allFolders()), toolRules.approval);
  return resolved.ok ? resolved.approval : 'each';
}

/** Returns a list in the user's own settings: neither a workspace nor a remote machine can enable tools. */
export function userTools(key: 'svc.tools.allowed' | 'svc.tools.disabled'): readonly string[] {
  const found = userValue(key);
  return Array.isArray(found) ? found.filter((name) => typeof name === 'string') : [];
}

function whyNotAllowed(contextReader: FeatureReader, feature: 'tools' | 'changes' | 'tasks'): ToolsOff | null {
  try {
    contextReader.requireFeature(feature);
    return null;
  } catch (error) {
    if (isServiceError(error)) return { by: 'policy', error };
    throw error;
  }
}

/** Returns the layer that turns a switch off, if there is one. A value that is not a boolean turns it off. */
function whyOff(layers: readonly Layer[], key: Switch, disabled: DisabledTools): ToolsOff | null {
  const [user = [], ...inner] = layers.map(({ values }) => [values[key]]);
  const by = switchedOffBy({ user, inner });
  if (typeof by === 'number') return { by: 'layer', layer: layers[by + 1] ?? { layer: 'user' } };
  if (!disabled.ok) return { by: 'invalid', key: 'svc.tools.disabled', layer: disabled.layer };
  const approval = resolveToolApproval(layers);
  if (!approval.ok) return { by: 'invalid', key: 'svc.tools.approval', layer: approval.layer };
  return by === null ? null : { by: 'layer', layer: { layer: 'user' } };
}
