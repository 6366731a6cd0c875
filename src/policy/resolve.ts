import { allowedValues, readValue, showValue } from './readValue.ts';
import type { Layer, LayerRef, PolicyProblem, RequestPolicy, Resolved } from './requestPolicy.ts';
import {
  type ComplianceKey,
  type Framework,
  frameworks,
  type Region,
  type SecurityLevel,
  securityLevels,
} from './settings.ts';

export type PolicyResolution =
  | { readonly ok: true; readonly policy: RequestPolicy }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };

interface Asked<T> {
  readonly by: LayerRef;
  readonly value: T;
}

/**
 * Combines layers so that none can loosen what another asks for: the strictest level, true over false, the union of
 * frameworks, one region. The order of the layers does not matter. Every problem is reported, not the first alone.
 */
export function resolvePolicy(layers: readonly Layer[]): PolicyResolution {
  const problems: PolicyProblem[] = [];

  const askedFor = <T>(key: ComplianceKey): readonly Asked<T>[] => {
    const asked: Asked<T>[] = [];
    for (const layer of layers) {
      const raw = layer.values[key];
      const read = readValue(key, raw);
      // The table has just said that the value is one of those that T stands for.
      if (read.is === 'value') asked.push({ by: refOf(layer), value: read.value as T });
      if (read.is === 'invalid') {
        const found = [{ ...refOf(layer), value: showValue(raw) }];
        problems.push({ reason: 'invalid', key, found, allowed: allowedValues(key) });
      }
    }
    return asked;
  };

  const oneRegion = (asked: readonly Asked<Region>[]): Resolved<Region | null> => {
    const first = asked[0];
    if (first !== undefined && asked.some((other) => other.value !== first.value)) {
      const key = 'svc.compliance.dataResidency';
      const found = asked.map(({ by, value }) => ({ ...by, value: showValue(value) }));
      problems.push({ reason: 'conflict', key, found, allowed: allowedValues(key) });
    }
    return { value: first?.value ?? null, setBy: asked.map(({ by }) => by), overruled: [] };
  };

  const policy = {
    securityLevel: strictest(askedFor<SecurityLevel>('svc.compliance.securityLevel'), (level) =>
      securityLevels.indexOf(level),
    ),
    dataResidency: oneRegion(askedFor<Region>('svc.compliance.dataResidency')),
    audit: strictest(askedFor<boolean>('svc.compliance.audit'), Number),
    zeroRetention: strictest(askedFor<boolean>('svc.compliance.zeroRetention'), Number),
    frameworks: union(askedFor<readonly Framework[]>('svc.compliance.frameworks')),
  };
  // The one place that makes a RequestPolicy: the brand is a type alone.
  return problems.length > 0 ? { ok: false, problems } : { ok: true, policy: policy as RequestPolicy };
}

function strictest<T extends string | boolean>(
  asked: readonly Asked<T>[],
  rank: (value: T) => number,
): Resolved<T | null> {
  const top = asked.reduce<T | null>(
    (best, { value }) => (best === null || rank(value) > rank(best) ? value : best),
    null,
  );
  return {
    value: top,
    setBy: asked.filter(({ value }) => value === top).map(({ by }) => by),
    overruled: asked.filter(({ value }) => value !== top).map(({ by, value }) => ({ ...by, asked: String(value) })),
  };
}

function union(asked: readonly Asked<readonly Framework[]>[]): Resolved<readonly Framework[]> {
  return {
    value: frameworks.filter((name) => asked.some(({ value }) => value.includes(name))),
    setBy: asked.filter(({ value }) => value.length > 0).map(({ by }) => by),
    overruled: [],
  };
}

function refOf(layer: Layer): LayerRef {
  return layer.name === undefined ? { layer: layer.layer } : { layer: layer.layer, name: layer.name };
}
