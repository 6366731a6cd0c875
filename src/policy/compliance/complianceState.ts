import type { ManagedState } from '../managed/managedPolicy.ts';
import { regionProblems } from '../managed/managedRules.ts';
import type { Layer, PolicyProblem } from '../requestPolicy.ts';
import { type ComplianceField, compliance } from './compliance.ts';
import { headerOf, type ResolvedHeader, written } from './headers.ts';
import { resolveField } from './resolve.ts';

/** What sets the constraints of a request. */
export interface ConstraintSources {
  /** With that of the administrator. */
  readonly layers: readonly Layer[];
  readonly managed: ManagedState;
}

/** What becomes of one setting of the table. */
export interface ComplianceState {
  readonly field: ComplianceField;
  /** null if no layer sets it. */
  readonly header: ResolvedHeader | null;
  /** Why this setting blocks the request; empty if it does not. */
  readonly problems: readonly PolicyProblem[];
}

export function complianceState(field: ComplianceField, { layers, managed }: ConstraintSources): ComplianceState {
  const { resolved, problems } = resolveField(layers, field);
  const isRegion = field === 'dataResidency' && problems.length === 0;
  const refused = isRegion ? regionProblems(managed, resolved) : [];
  return { field, header: headerOf(field, resolved), problems: [...problems, ...refused] };
}

/** What a value would change if a layer set it. */
export interface Effect {
  readonly state: ComplianceState;
  /** Whether the value takes effect: `false` if others are stricter, or keep a value that this layer removes. */
  readonly applies: boolean;
  /** What the administrator demands instead: no other layer can make up for it. */
  readonly forbidden: ComplianceState | null;
}

/** `at` is one of the layers; `value` undefined removes its value. */
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
