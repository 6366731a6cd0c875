import type { ManagedState } from '../managed/managedPolicy.ts';
import { regionProblems } from '../managed/managedRules.ts';
import type { Layer, PolicyProblem } from '../requestPolicy.ts';
import { type ComplianceField, compliance } from './compliance.ts';
import { headerOf, type ResolvedHeader, written } from './headers.ts';
import { resolveField } from './resolve.ts';

/** The sources of the constraints of a request. */
export interface ConstraintSources {
  /** All layers, including the administrator's layer. */
  readonly layers: readonly Layer[];
  readonly managed: ManagedState;
}

/** The result of resolving one setting of the table. */
export interface ComplianceState {
  readonly field: ComplianceField;
  /** The header; null if no layer sets it. */
  readonly header: ResolvedHeader | null;
  /** The reasons why this setting blocks the request; empty if it does not. */
  readonly problems: readonly PolicyProblem[];
}

export function complianceState(field: ComplianceField, { layers, managed }: ConstraintSources): ComplianceState {
  const { resolved, problems } = resolveField(layers, field);
  const isRegion = field === 'dataResidency' && problems.length === 0;
  const refused = isRegion ? regionProblems(managed, resolved) : [];
  return { field, header: headerOf(field, resolved), problems: [...problems, ...refused] };
}

/** The effect that a value would have if a layer set it. */
export interface Effect {
  readonly state: ComplianceState;
  /** Whether the value takes effect: `false` if other layers are stricter, or keep a value that this layer removes. */
  readonly applies: boolean;
  /** The administrator's state, if it forbids the value, so that no other layer can allow it; otherwise null. */
  readonly forbidden: ComplianceState | null;
}

/** Returns the effect of a value in the layer `at`, which is one of the layers; undefined removes the layer's value. */
export function effectOf(field: ComplianceField, sources: ConstraintSources, at: Layer, value: unknown): Effect {
  const { setting, combine } = compliance[field];
  const changed: Layer = { ...at, values: { ...at.values, [setting]: value } };
  const stateOf = (layers: readonly Layer[]): ComplianceState =>
    complianceState(field, { layers, managed: sources.managed });
  const state = stateOf(sources.layers.map((layer) => (layer === at ? changed : layer)));
  const isSent = combine === 'union' && value !== undefined ? true : (state.header?.value ?? '') === written(value);
  const managed = sources.layers.filter(({ layer }) => layer === 'managed');
  const isForbidden = value !== undefined && stateOf([...managed, changed]).problems.length > 0;
  return { state, applies: isSent && state.problems.length === 0, forbidden: isForbidden ? stateOf(managed) : null };
}
