import { allowedIn } from '../allowed.ts';
import { readValue, showValue } from '../readValue.ts';
import type { Constraints, Layer, LayerRef, PolicyProblem, RequestPolicy, Resolved } from '../requestPolicy.ts';
import { type ComplianceField, type ComplianceKey, compliance, complianceFields } from './compliance.ts';

export type PolicyResolution =
  | { readonly ok: true; readonly policy: RequestPolicy }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };

interface Asked<T = unknown> {
  readonly by: LayerRef;
  readonly value: T;
}

/** One constraint after all layers have tightened it, and the reasons why its settings block a request. */
interface FieldResolution {
  readonly resolved: Resolved<unknown>;
  readonly problems: readonly PolicyProblem[];
}

/**
 * Combines layers so that no layer can loosen another layer's constraint: see `combine` in compliance.ts. The order of the
 * layers does not matter. Reports every problem, not only the first.
 */
export function resolvePolicy(layers: readonly Layer[]): PolicyResolution {
  const found = complianceFields.map((field) => [field, resolveField(layers, field)] as const);
  const problems = found.flatMap(([, { problems }]) => problems);
  // readValue() has checked each value against its row, from which the field types derive.
  const policy = Object.fromEntries(found.map(([field, { resolved }]) => [field, resolved])) as unknown as Constraints;
  // No other place makes a RequestPolicy: the brand exists only as a type.
  return problems.length > 0 ? { ok: false, problems } : { ok: true, policy: policy as RequestPolicy };
}

/** Like resolvePolicy(), for one constraint. Invalid values are left out. */
export function resolveField(layers: readonly Layer[], field: ComplianceField): FieldResolution {
  const row = compliance[field];
  const { asked, problems } = askedFor(layers, row.setting);
  switch (row.combine) {
    case 'strictest':
      return { resolved: strictest(asked, row.values), problems };
    case 'union':
      return { resolved: union(asked as readonly Asked<readonly string[]>[], row.values), problems };
    case 'agree': {
      const conflict = conflictIn(asked, row.setting);
      const resolved = { value: asked[0]?.value ?? null, setBy: asked.map(({ by }) => by), overruled: [] };
      return { resolved, problems: conflict === null ? problems : [...problems, conflict] };
    }
  }
}

function askedFor(
  layers: readonly Layer[],
  key: ComplianceKey,
): { readonly asked: readonly Asked[]; readonly problems: readonly PolicyProblem[] } {
  const asked: Asked[] = [];
  const problems: PolicyProblem[] = [];
  for (const layer of layers) {
    const raw = layer.values[key];
    const read = readValue(key, raw);
    if (read.is === 'value') asked.push({ by: refOf(layer), value: read.value });
    if (read.is === 'invalid') {
      const found = [{ ...refOf(layer), value: showValue(raw) }];
      problems.push({ reason: 'invalid', key, found, allowed: allowedIn(key) });
    }
  }
  return { asked, problems };
}

function strictest(asked: readonly Asked[], values: readonly unknown[]): Resolved<unknown> {
  const top = asked.reduce<unknown>(
    (best, { value }) => (best === null || values.indexOf(value) > values.indexOf(best) ? value : best),
    null,
  );
  return {
    value: top,
    setBy: asked.filter(({ value }) => value === top).map(({ by }) => by),
    overruled: asked.filter(({ value }) => value !== top).map(({ by, value }) => ({ ...by, asked: String(value) })),
  };
}

function union(asked: readonly Asked<readonly string[]>[], values: readonly string[]): Resolved<readonly string[]> {
  return {
    value: values.filter((name) => asked.some(({ value }) => value.includes(name))),
    setBy: asked.filter(({ value }) => value.length > 0).map(({ by }) => by),
    overruled: [],
  };
}

/** Finds two values that exclude each other. */
function conflictIn(asked: readonly Asked[], key: ComplianceKey): PolicyProblem | null {
  if (asked.every(({ value }) => value === asked[0]?.value)) return null;
  const found = asked.map(({ by, value }) => ({ ...by, value: showValue(value) }));
  return { reason: 'conflict', key, found, allowed: allowedIn(key) };
}

function refOf(layer: Layer): LayerRef {
  return layer.name === undefined ? { layer: layer.layer } : { layer: layer.layer, name: layer.name };
}
